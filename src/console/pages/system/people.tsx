import { useState } from 'react';
import { type InviteAnswer, type OperatorPerson, roles } from '../../../contract/console/people.ts';
import { apiPost, useAction, useApi, useMe } from '../../api.ts';
import { Button, CopyButton, Form, Menu, Select, TextInput } from '../../parts/controls.tsx';
import { ActionDialog, Dialog } from '../../parts/dialog.tsx';
import { Panel, Problem } from '../../parts/page.tsx';
import { actionsColumn, type Column, DataTable, timeColumn } from '../../parts/table.tsx';
import { Ago, Code, StateBadge } from '../../parts/values.tsx';
import { Sessions } from './account.tsx';

const roleItems = [
  { id: 'viewer', label: 'viewer', note: 'Numbers and masked leads' },
  { id: 'operator', label: 'operator', note: 'Also opens leads and acts on them' },
  { id: 'admin', label: 'admin', note: 'Also people, erasure and settings' },
] as const;

const columns: readonly Column<OperatorPerson>[] = [
  {
    header: 'Person',
    sort: ({ email }) => email,
    cell: ({ email }) => <span className="wrap">{email}</span>,
  },
  {
    header: 'Role',
    sort: ({ role }) => roles.indexOf(role),
    cell: ({ role, isDisabled }) => <StateBadge state={isDisabled ? 'shut_out' : role} />,
  },
  timeColumn('Last seen', ({ lastSeenAt }) => lastSeenAt, { isMinor: true }),
  { header: 'Passkeys', align: 'end', isMinor: true, cell: ({ passkeys }) => passkeys },
  actionsColumn((person) => <Actions person={person} />),
];

/** Lists the people and their sessions, and lets people in and out. */
export function PeopleView() {
  const people = useApi<readonly OperatorPerson[]>('/api/people');
  return (
    <>
      <Panel
        title="People"
        query={people}
        actions={
          <Dialog title="Invite a person" trigger={<Button tone="primary">Invite</Button>}>
            <InviteForm />
          </Dialog>
        }
      >
        {(rows) => <DataTable label="People" columns={columns} rows={rows} />}
      </Panel>
      <Sessions title="Sessions of everybody" path="/api/people/sessions" />
    </>
  );
}

function InviteForm() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>('viewer');
  const invite = useAction<{ email: string; role: string }, InviteAnswer>('/api/people');
  if (invite.data) return <LinkText answer={invite.data} />;
  return (
    <Form
      className="dialog-form"
      onSubmit={() => {
        if (!invite.isPending) invite.mutate({ email, role });
      }}
    >
      <TextInput label="E-mail address" type="email" value={email} onChange={setEmail} isRequired />
      <Select label="Role" isLabelShown items={roleItems} value={role} onChange={setRole} />
      <Problem of={invite.error} />
      <footer className="dialog-foot row">
        <Button tone="primary" type="submit" isPending={invite.isPending}>
          Make a sign-in link
        </Button>
      </footer>
    </Form>
  );
}

/** Shows a link that signs somebody in. The server cannot show it again. */
function LinkText({ answer: { person, link, expiresAt } }: { readonly answer: InviteAnswer }) {
  return (
    <div className="dialog-form">
      <p>
        Send this link to {person.email} in private. Whoever opens it is signed in as {person.role},
        once, until it ends <Ago at={expiresAt} />. It is not shown again.
      </p>
      <p>
        <Code>{link}</Code> <CopyButton text={link} label="Copy the link" />
      </p>
    </div>
  );
}

type Act = { readonly to: string; readonly body?: object };

function Actions({ person }: { readonly person: OperatorPerson }) {
  const me = useMe();
  const [open, setOpen] = useState('');
  const [role, setRole] = useState<string>(person.role);
  const act = useAction<Act>(({ to, body }) => apiPost(`/api/people/${person.id}/${to}`, body));
  const link = useAction<Act, InviteAnswer>(({ to, body }) => apiPost(`/api/people${to}`, body));
  if (me?.email === person.email) return <span className="quiet">you</span>;
  const close = () => setOpen('');
  const run = (id: string) => {
    if (id === 'link') link.mutate({ to: `/${person.id}/link` });
    else if (id === 'invite') link.mutate({ to: '', body: { email: person.email, role } });
    else setOpen(id);
  };
  const items = person.isDisabled
    ? [{ id: 'invite', label: 'Let in again' }]
    : [
        { id: 'link', label: 'New sign-in link' },
        { id: 'role', label: 'Change the role' },
        { id: 'revoke', label: 'Shut out' },
      ];
  return (
    <>
      <Problem of={link.error} />
      <Menu label={`Actions for ${person.email}`} items={items} onAction={run}>
        •••
      </Menu>
      <ActionDialog
        title={`Change the role of ${person.email}`}
        means="The new role counts from the person's next request."
        confirmLabel="Change the role"
        isOpen={open === 'role'}
        onClose={close}
        onConfirm={(reason) => act.mutateAsync({ to: 'role', body: { role, reason } })}
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
        onConfirm={(reason) => act.mutateAsync({ to: 'revoke', body: { reason } })}
      />
      <Dialog title="Sign-in link" isOpen={link.data !== undefined} onClose={() => link.reset()}>
        {link.data && <LinkText answer={link.data} />}
      </Dialog>
    </>
  );
}
