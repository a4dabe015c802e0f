import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry, AuditPage } from '../../../contract/console/people.ts';
import { useApi } from '../../api.ts';
import { Button, TextInput } from '../../parts/controls.tsx';
import { Go } from '../../parts/link.tsx';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago, Code } from '../../parts/values.tsx';

type Filter = { readonly actor?: string; readonly action?: string; readonly subject?: string };
const keys = ['actor', 'action', 'subject'] as const;
const labels = { actor: 'Who', action: 'What', subject: 'To what' } as const;

const LEAD_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <Ago at={at} /> },
  { id: 'actor', header: 'Who', cell: ({ actor }) => actor },
  { id: 'action', header: 'What', cell: ({ action }) => <Code>{action}</Code> },
  { id: 'subject', header: 'To what', cell: (entry) => <Subject {...entry} /> },
  {
    id: 'reason', header: 'Why', isMinor: true,
    cell: ({ reason }) => <span className="system-wide">{reason.replaceAll('_', ' ')}</span>,
  },
  {
    id: 'detail', header: 'Details', isMinor: true,
    cell: ({ detail }) => <span className="system-wide quiet">{detailText(detail)}</span>,
  },
];

/** Lists who did what, when and why. The filter is part of the address. */
export function AuditView() {
  const search = useSearch({ strict: false }) as Filter & { after?: string };
  const navigate = useNavigate();
  const query = { actor: search.actor, action: search.action, subject: search.subject };
  const page = useApi<AuditPage>('/api/system/audit', { ...query, after: search.after });
  const show = (change: Filter & { after?: string }) =>
    void navigate({ to: '/system', search: { view: 'audit', ...query, ...change } as never });
  return (
    <Panel
      title="Audit log"
      query={page}
      rows={20}
      isEmpty={({ entries }) => entries.length === 0 && keys.every((key) => !query[key])}
      empty="Nothing has been done yet."
    >
      {({ entries, next }) => (
        <>
          <div className="system-filter">
            {keys.map((key) => (
              <TextInput
                key={key}
                label={labels[key]}
                value={query[key] ?? ''}
                onChange={(value) => show({ [key]: value })}
                type="search"
              />
            ))}
          </div>
          <DataTable
            label="Audit log"
            columns={columns}
            rows={entries}
            rowKey={({ id }) => id}
            dense
          />
          <div className="system-filter">
            {search.after !== undefined && <Button onPress={() => show({})}>Newest</Button>}
            {next !== null && <Button onPress={() => show({ after: next })}>Older</Button>}
            <p className="quiet">Entries are only added. Filters match the whole value.</p>
          </div>
        </>
      )}
    </Panel>
  );
}

function Subject({ subject, action }: AuditEntry) {
  const isLead = LEAD_ID.test(subject) && action.startsWith('lead.');
  return isLead ? (
    <Go to={`/leads/${subject}`} className="text-link">
      {subject.slice(0, 8)}
    </Go>
  ) : (
    <span className="system-wide">{subject}</span>
  );
}

function detailText(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
