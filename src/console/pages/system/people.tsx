import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type InviteAnswer,
  type OperatorPerson,
  type OperatorSession,
  type Role,
  roles,
} from '../../../contract/console/people.ts';
import { apiPost, useAction, useApi, useMe } from '../../api.ts';
import { Button, Menu, Select, TextInput } from '../../parts/controls.tsx';
import { ActionDialog, Dialog } from '../../parts/dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago, Code, StateBadge } from '../../parts/values.tsx';
import { SessionsTable } from './sessions.tsx';

const roleItems = [
  { id: 'viewer', label: 'viewer', note: 'Numbers and masked leads' },
  { id: 'operator', label: 'operator', note: 'Also opens leads and acts on them' },
  { id: 'admin', label: 'admin', note: 'Also people, erasure and settings' },
] as const;

const columns: readonly Column<OperatorPerson>[] = [
  { id: 'email', header: 'Person', cell: ({ email }) => email, sort: ({ email }) => email },
  {
    id: 'role',
    header: 'Role',
    sort: ({ role }) => roles.indexOf(role),
    cell: ({ role, isDisabled }) => <StateBadge state={isDisabled ? 'shut_out' : role} />,
  },
  {
    id: 'seen',
    header: 'Last seen',
    isMinor: true,
    sort: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} />,
  },
  {
    id: 'passkeys',
    header: 'Passkeys',
    align: 'end',
    isMinor: true,
    cell: ({ passkeys }) => passkeys,
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (person) => <Actions person={person} />,
  },
];

/** Lists the people and their sessions, and lets people in and out. */
export function PeopleView() {
  const people = useApi<readonly OperatorPerson[]>('/api/people');
  const sessions = useApi<readonly OperatorSession[]>('/api/people/sessions');
  return (
    <>
      <Panel title="People" query={people} actions={<Invite />}>
        {(rows) => (
          <DataTable label="People" columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </Panel>
      <Panel title="Sessions of everybody" query={sessions}>
        {(rows) => <SessionsTable rows={rows} />}
      </Panel>
    </>
  );
}

function Invite() {
  return (
    <Dialog title="Invite a person" trigger={<Button tone="primary">Invite</Button>}>
      <InviteForm />
    </Dialog>
  );
}

function InviteForm() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>('viewer');
  const invite = useAction<{ email: string; role: string }, InviteAnswer>('/api/people');
  const send = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ email, role });
  };
  if (invite.data) return <LinkText answer={invite.data} />;
  return (
    <form className="dialog-form" onSubmit={send}>
      <TextInput label="E-mail address" type="email" value={email} onChange={setEmail} isRequired />
      <Select label="Role" isLabelShown items={roleItems} value={role} onChange={setRole} />
      {invite.error && (
        <p className="dialog-error" role="alert">
          {invite.error.detail}
        </p>
      )}
      <footer className="dialog-foot">
        <Button tone="primary" type="submit" isPending={invite.isPending}>
          Make a sign-in link
        </Button>
      </footer>
    </form>
  );
}

/** Shows a link that signs somebody in. The server cannot show it again. */
function LinkText({ answer }: { readonly answer: InviteAnswer }) {
  const { person, link, expiresAt } = answer;
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div className="dialog-form">
      <p>
        Send this link to {person.email} in private. Whoever opens it is signed in as {person.role},
        once, until it ends <Ago at={expiresAt} />. It is not shown again.
      </p>
      <p className="system-link">
        <Code>{link}</Code>
      </p>
      <footer className="dialog-foot">
        <Button
          tone="primary"
          icon={isCopied ? 'check' : 'copy'}
          onPress={() => void navigator.clipboard.writeText(link).then(() => setIsCopied(true))}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </footer>
    </div>
  );
}

type Open = 'role' | 'revoke' | InviteAnswer | undefined;

function Actions({ person }: { readonly person: OperatorPerson }) {
  const me = useMe();
  const client = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const [role, setRole] = useState<string>(person.role);
  if (me?.email === person.email) return <span className="quiet">you</span>;
  const act = async <Answer,>(path: string, body?: object) => {
    const answer = await apiPost<Answer>(`/api/people/${person.id}/${path}`, body);
    await client.invalidateQueries();
    return answer;
  };
  const invite = async (as: Role) => {
    const answer = await apiPost<InviteAnswer>('/api/people', { email: person.email, role: as });
    await client.invalidateQueries();
    setOpen(answer);
  };
  const run = (id: string) => {
    if (id === 'invite') void invite(person.role);
    else if (id === 'link') void act<InviteAnswer>('link').then(setOpen);
    else setOpen(id as Open);
  };
  const close = () => setOpen(undefined);
  const items = person.isDisabled
    ? [{ id: 'invite', label: 'Let in again' }]
    : [
        { id: 'link', label: 'New sign-in link' },
        { id: 'role', label: 'Change the role' },
        { id: 'revoke', label: 'Shut out' },
      ];
  return (
    <>
      <Menu label={`Actions for ${person.email}`} items={items} onAction={run}>
        •••
      </Menu>
      <ActionDialog
        title={`Change the role of ${person.email}`}
        means="The new role counts from the person's next request."
        confirmLabel="Change the role"
        isOpen={open === 'role'}
        onClose={close}
        onConfirm={(reason) => act('role', { role, reason })}
      >
        <Select label="Role" isLabelShown items={roleItems} value={role} onChange={setRole} />
      </ActionDialog>
      <ActionDialog
        title={`Shut out ${person.email}`}
        means="All sessions end at once. Sign-in links and passkeys of this person no longer work."
        confirmLabel="Shut out"
        tone="danger"
        isOpen={open === 'revoke'}
        onClose={close}
        onConfirm={(reason) => act('revoke', { reason })}
      />
      <Dialog title="Sign-in link" isOpen={typeof open === 'object'} onClose={close}>
        {typeof open === 'object' && <LinkText answer={open} />}
      </Dialog>
    </>
  );
}
