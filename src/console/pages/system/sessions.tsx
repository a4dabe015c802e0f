import type { OperatorSession } from '../../../contract/console/people.ts';
import { useAction } from '../../api.ts';
import { Button } from '../../parts/controls.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago } from '../../parts/values.tsx';

const columns: readonly Column<OperatorSession>[] = [
  {
    id: 'email',
    header: 'Person',
    cell: ({ email }) => <span className="system-person">{email}</span>,
    sort: ({ email }) => email,
  },
  {
    id: 'browser',
    header: 'Browser',
    isMinor: true,
    cell: ({ userAgent }) => (
      <span className="system-wide" title={userAgent}>
        {userAgent === '' ? 'not said' : userAgent}
      </span>
    ),
  },
  {
    id: 'started',
    header: 'Signed in',
    isMinor: true,
    sort: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => <Ago at={startedAt} />,
  },
  { id: 'way', header: 'By', cell: (session) => wayText(session) },
  {
    id: 'seen',
    header: 'Last seen',
    sort: ({ seenAt }) => seenAt,
    cell: ({ seenAt }) => <Ago at={seenAt} />,
  },
  {
    id: 'end',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (session) => <End session={session} />,
  },
];

/** Lists sessions, each with a button that ends it. */
export function SessionsTable({ rows }: { readonly rows: readonly OperatorSession[] }) {
  return <DataTable label="Sessions" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

/** Says how a session was opened. A link signs in whoever opens it, so the text names the person who made it. */
function wayText({ way, linkBy }: OperatorSession): string {
  if (way === null) return 'not known';
  if (way === 'link') return linkBy === null ? 'a link' : `a link from ${linkBy}`;
  return way === 'passkey' ? 'a passkey' : 'the identity provider';
}

function End({ session }: { readonly session: OperatorSession }) {
  const end = useAction(`/api/sessions/${session.id}/revoke`);
  if (session.isOwn) return <span className="quiet">this one</span>;
  return (
    <Button onPress={() => end.mutate({})} isPending={end.isPending}>
      End
    </Button>
  );
}
