import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AuditEntry, AuditPage } from '../../../contract/console/people.ts';
import { useApi } from '../../api.ts';
import { leadName } from '../../format.ts';
import { Button, TextInput } from '../../parts/controls.tsx';
import { Go } from '../../parts/link.tsx';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago, Code } from '../../parts/values.tsx';

const keys = ['actor', 'action', 'subject'] as const;
type Filter = Partial<Record<(typeof keys)[number], string>>;
const labels = { actor: 'Who', action: 'What', subject: 'To what' } as const;

/** A lead or a plan that has a page; a person is named by one of their leads. */
const LINKED = /^(?:lead )?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <Ago at={at} /> },
  {
    id: 'actor',
    header: labels.actor,
    cell: ({ actor }) => <Only filter={{ actor }}>{actor}</Only>,
  },
  {
    id: 'action',
    header: labels.action,
    cell: ({ action }) => (
      <Only filter={{ action }}>
        <Code>{action}</Code>
      </Only>
    ),
  },
  { id: 'subject', header: labels.subject, cell: (entry) => <Subject {...entry} /> },
  {
    id: 'reason',
    header: 'Why',
    isMinor: true,
    cell: ({ reason }) => <span className="system-wide">{reason.replaceAll('_', ' ')}</span>,
  },
  {
    id: 'detail',
    header: 'Details',
    isMinor: true,
    cell: ({ detail }) => <span className="system-wide quiet">{detailText(detail)}</span>,
  },
];

/** Returns the address of the log with a filter. */
function addressOf(filter: Filter & { after?: string | undefined }): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '');
  return `/system?${new URLSearchParams([['view', 'audit'], ...given])}`;
}

/** Lists who did what, when and why. The filter is part of the address. */
export function AuditView() {
  const search = useSearch({ strict: false }) as Filter & { after?: string };
  const filter = Object.fromEntries(keys.map((key) => [key, search[key]])) as Filter;
  const page = useApi<AuditPage>('/api/system/audit', { ...filter, after: search.after });
  return (
    <>
      <FilterForm key={JSON.stringify(filter)} filter={filter} />
      <Panel
        title="Audit log"
        query={page}
        rows={20}
        isEmpty={({ entries }) => entries.length === 0}
        empty="No entry matches. The filter takes whole values, such as lead.opened."
      >
        {({ entries, next }) => (
          <>
            <DataTable
              label="Audit log"
              columns={columns}
              rows={entries}
              rowKey={({ id }) => id}
              dense
            />
            <p className="system-note">
              Entries are only added.{' '}
              {search.after !== undefined && (
                <Go to={addressOf(filter)} className="text-link">
                  Newest
                </Go>
              )}{' '}
              {next !== null && (
                <Go to={addressOf({ ...filter, after: next })} className="text-link">
                  Older
                </Go>
              )}
            </p>
          </>
        )}
      </Panel>
    </>
  );
}

function FilterForm({ filter }: { readonly filter: Filter }) {
  const navigate = useNavigate();
  const [values, setValues] = useState(filter);
  const show = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/system', search: { view: 'audit', ...values } as never });
  };
  return (
    <form className="system-filter" onSubmit={show}>
      {keys.map((key) => (
        <TextInput
          key={key}
          label={labels[key]}
          value={values[key] ?? ''}
          onChange={(value) => setValues({ ...values, [key]: value.trim() })}
          type="search"
        />
      ))}
      <Button type="submit">Filter</Button>
      {keys.some((key) => filter[key]) && (
        <Go to={addressOf({})} className="text-link">
          Show all
        </Go>
      )}
    </form>
  );
}

/** A value that filters the log to its entries. */
function Only({ filter, children }: { readonly filter: Filter; readonly children: ReactNode }) {
  return (
    <Go to={addressOf(filter)} className="system-only">
      {children}
    </Go>
  );
}

function Subject({ subject, action }: AuditEntry) {
  const id = LINKED.exec(subject)?.[1];
  const kind = /^(?:lead|person)\./.test(action) ? 'lead' : action.startsWith('plan.') && 'plan';
  return id && kind ? (
    <span>
      {kind}{' '}
      <Go to={`/${kind}s/${id}`} className="text-link">
        <Code>{leadName(id)}</Code>
      </Go>
    </span>
  ) : (
    <Only filter={{ subject }}>
      <span className="system-wide">{subject}</span>
    </Only>
  );
}

function detailText(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
