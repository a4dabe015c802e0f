import { startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import {
  type InviteAnswer,
  type OperatorPerson,
  type OperatorSession,
  type OwnPasskey,
  type Role,
  roles,
} from '../../../../model/messages/console/people.ts';
import { ApiError, apiPost, useAction, useApi, useMe } from '../../api.ts';
import { Button, Form, Select, TextInput } from '../../parts/controls.tsx';
import { ActionButton, ActionDialog, Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/page.tsx';
import { actionsColumn, type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { Ago, StateBadge } from '../../parts/values.tsx';

const roleNotes: Readonly<Record<Role, string>> = {
  viewer: 'numbers and masked leads',
  operator: 'also opens leads and acts on them',
  admin: 'also people, erasure and settings',
};
const roleItems = roles.map((id) => ({ id, label: id, note: roleNotes[id] }));

const columns: readonly Column<OperatorPerson>[] = [
  { header: 'Person', fold: 'wrap', sort: ({ email }) => email },
  {
    header: 'Role',
    sort: ({ role }) => roles.indexOf(role),
    cell: ({ role, isDisabled }) => <StateBadge state={isDisabled ? 'shut_out' : role} />,
  },
  timeColumn('Last seen', ({ lastSeenAt }) => lastSeenAt, { isMinor: true }),
  { header: 'Passkeys', align: 'end', isMinor: true, cell: ({ passkeys }) => passkeys },
  actionsColumn((person) => <Actions person={person} />),
];

/** Lists the operators and their sessions. */
export function PeopleView() {
  return (
    <>
      <ListPanel
        title="People"
        query={useApi<readonly OperatorPerson[]>('/api/people')}
        columns={columns}
        actions={
          <Dialog title="Invite a person" trigger={<Button tone="primary">Invite</Button>}>
            <InviteForm />
          </Dialog>
        }
      />
      <Sessions title="Sessions of everybody" path="/api/people/sessions" />
    </>
  );
}

/** Makes a sign-in link. A person with access gets the new role from the next request on. */
function InviteForm({ person }: { readonly person?: OperatorPerson }) {
  const [email, setEmail] = useState(person?.email ?? '');
  const [role, setRole] = useState<string>(person?.role ?? 'viewer');
  const invite = useAction<{ email: string; role: string }, InviteAnswer>('/api/people');
  if (invite.data) return <LinkText answer={invite.data} />;
  return (
    <Form onSubmit={() => invite.mutate({ email, role })} isPending={invite.isPending}>
      {!person && (
        <TextInput
          label="E-mail address"
          type="email"
          value={email}
          onChange={setEmail}
          isRequired
        />
      )}
      <Select label="Role" isLabelShown items={roleItems} value={role} onChange={setRole} />
      <Problem of={invite.error} />
      <footer className="row">
        <Button tone="primary" type="submit" isPending={invite.isPending}>
          Make a sign-in link
        </Button>
      </footer>
    </Form>
  );
}

function LinkText({ answer: { person, link, expiresAt } }: { readonly answer: InviteAnswer }) {
  return (
    <>
      <p>
        Send this link to {person.email} in private. It signs in its first reader as {person.role},
        and expires <Ago at={expiresAt} />. It is not shown again.
      </p>
      <TextInput label="Sign-in link" value={link} lines={3} />
    </>
  );
}

function Actions({ person }: { readonly person: OperatorPerson }) {
  const { email, isDisabled } = person;
  if (useMe()?.email === email) return <span className="quiet">you</span>;
  return (
    <>
      <Dialog title={`Invite ${email} again`} trigger={<Button>Invite again…</Button>}>
        <InviteForm person={person} />
      </Dialog>
      {!isDisabled && (
        <ActionDialog
          title={`Shut out ${email}`}
          trigger={<Button>Shut out…</Button>}
          means="All sessions end at once. Sign-in links and passkeys of this person no longer work."
          confirmLabel="Shut out"
          tone="danger"
          onConfirm={(reason) => apiPost('/api/people/revoke', { email, reason })}
        />
      )}
    </>
  );
}

const passkeyColumns: readonly Column<OwnPasskey>[] = [
  { header: 'Passkey', cell: ({ name }) => name },
  timeColumn('Added', ({ createdAt }) => createdAt),
  timeColumn('Last used', ({ usedAt }) => usedAt),
  actionsColumn(({ id }) => (
    <ActionButton onAction={() => apiPost('/api/passkeys/remove', { id })}>Remove</ActionButton>
  )),
];

export function AccountView() {
  const me = useMe();
  return (
    <>
      <ListPanel
        title="Your passkeys"
        query={useApi<readonly OwnPasskey[]>('/api/passkeys')}
        columns={passkeyColumns}
        rows={2}
        actions={
          <ActionButton tone="primary" icon="key" onAction={addPasskey}>
            Add a passkey
          </ActionButton>
        }
        empty="You have no passkey. With one you sign in by your device instead of a link."
      />
      <Sessions title="Your sessions" path="/api/sessions" />
      {me && (
        <p className="body quiet">
          You are {me.email}, {me.role}. This session ends <Ago at={me.sessionEndsAt} /> at the
          latest, and after 8 hours without a request.
        </p>
      )}
    </>
  );
}

type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Returns a name for this device, such as `Firefox on Linux`. */
function deviceName(): string {
  const { userAgent } = navigator;
  const browser = /Edg|Firefox|Chrome|Safari/.exec(userAgent)?.[0] ?? 'Browser';
  const system = /Windows|Mac OS|Android|iPhone|iPad|Linux/.exec(userAgent)?.[0] ?? 'a device';
  return `${browser === 'Edg' ? 'Edge' : browser} on ${system}`;
}

async function addPasskey(): Promise<void> {
  const optionsJSON = await apiPost<Options>('/api/passkeys/options');
  const response = await startRegistration({ optionsJSON }).catch(() => {
    throw new ApiError(0, 'No passkey was made.');
  });
  await apiPost('/api/passkeys', { name: deviceName(), response });
}

const sessionColumns: readonly Column<OperatorSession>[] = [
  { header: 'Person', fold: 'wrap', sort: ({ email }) => email },
  {
    header: 'Browser',
    isMinor: true,
    fold: 'clip',
    cell: ({ userAgent }) => <span title={userAgent}>{userAgent || 'unknown'}</span>,
  },
  timeColumn('Signed in', ({ startedAt }) => startedAt, { isMinor: true }),
  { header: 'By', isMinor: true, cell: wayText },
  timeColumn('Last seen', ({ seenAt }) => seenAt),
  actionsColumn(({ id, isOwn }) =>
    isOwn ? (
      <ActionButton onAction={signOut}>Sign out</ActionButton>
    ) : (
      <ActionButton onAction={() => apiPost(`/api/sessions/${id}/revoke`)}>End</ActionButton>
    ),
  ),
];

function wayText({ way, linkBy }: OperatorSession): string {
  if (way === 'link') return linkBy === null ? 'a link' : `a link from ${linkBy}`;
  return way === 'passkey' ? 'a passkey' : 'the identity provider';
}

async function signOut(): Promise<void> {
  await apiPost('/api/sign-out');
  location.assign('/sign-in');
}

type SessionsProps = { readonly title: string; readonly path: string };

function Sessions({ title, path }: SessionsProps) {
  const query = useApi<readonly OperatorSession[]>(path);
  return <ListPanel title={title} query={query} columns={sessionColumns} rows={2} />;
}
