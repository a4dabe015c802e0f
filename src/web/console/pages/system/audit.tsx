import { useState } from 'react';
import type { AuditEntry, AuditPage } from '../../../../model/messages/console/people.ts';
import { addressOf, useApi } from '../../api.ts';
import { leadName } from '../../format.ts';
import { Go, LeadLink, useGo, useUrlQuery } from '../../parts/address.tsx';
import { Button, Form, TextInput } from '../../parts/controls.tsx';
import { type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { Code } from '../../parts/values.tsx';
import { codeText } from '../../parts/words.ts';

type Filter = Partial<Record<'actor' | 'action' | 'subject', string | undefined>>;
const labels = { actor: 'Who', action: 'What', subject: 'To what' } as const;

/** Matches the id of a lead or a bulk action. */
const LINKED = /^(?:lead )?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

const columns: readonly Column<AuditEntry>[] = [
  timeColumn('When', ({ at }) => at),
  { header: labels.actor, fold: 'wrap', cell: ({ actor }) => actor },
  { header: labels.action, cell: ({ action }) => <Code>{action}</Code> },
  { header: labels.subject, fold: 'wrap', cell: (entry) => <Subject {...entry} /> },
  {
    header: 'Why',
    isMinor: true,
    fold: 'wrap',
    cell: ({ reason }) => codeText(reason),
  },
  {
    header: 'Details',
    isMinor: true,
    fold: 'wrap',
    cell: ({ detail }) => <span className="quiet">{detailText(detail)}</span>,
  },
];

function logOf(filter: Filter): string {
  return addressOf('/system', { tab: 'audit', ...filter });
}

/** Shows the audit log. */
export function AuditView() {
  const [{ actor, action, subject, after }] = useUrlQuery();
  const filter = { actor, action, subject };
  return (
    <ListPanel
      title="Audit log"
      query={useApi<AuditPage>('/api/system/audit', { ...filter, after })}
      of={({ entries }) => entries}
      columns={columns}
      rows={20}
      dense
      actions={<FilterForm key={JSON.stringify(filter)} filter={filter} />}
      empty="No entry matches. The filter takes whole values, such as lead.opened."
    />
  );
}

function FilterForm({ filter }: { readonly filter: Filter }) {
  const go = useGo();
  const [values, setValues] = useState(filter);
  return (
    <Form className="row" onSubmit={() => go(logOf(values))}>
      {Object.entries(labels).map(([key, label]) => (
        <TextInput
          key={key}
          label={label}
          isLabelHidden
          placeholder={label}
          value={values[key as keyof Filter] ?? ''}
          onChange={(value) => setValues({ ...values, [key]: value.trim() })}
          type="search"
        />
      ))}
      <Button type="submit">Filter</Button>
      {Object.values(filter).some(Boolean) && <Go to={logOf({})}>Show all</Go>}
    </Form>
  );
}

function Subject({ subject, action }: AuditEntry) {
  const id = LINKED.exec(subject)?.[1];
  if (!id) return subject;
  if (/^(?:lead|person)\./.test(action)) return <LeadLink id={id} />;
  return action.startsWith('plan.') ? <Go to={`/plans/${id}`}>{leadName(id)}</Go> : subject;
}

function detailText(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
