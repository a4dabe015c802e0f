import { startRegistration } from '@simplewebauthn/browser';
import type { OperatorSession, OwnPasskey } from '../../../contract/console/people.ts';
import { ApiError, apiPost, useAction, useApi, useMe } from '../../api.ts';
import { Button } from '../../parts/controls.tsx';
import { Problem } from '../../parts/page.tsx';
import { actionsColumn, type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { Ago } from '../../parts/values.tsx';

const passkeyColumns: readonly Column<OwnPasskey>[] = [
  { header: 'Passkey', cell: ({ name }) => name },
  timeColumn('Added', ({ createdAt }) => createdAt),
  timeColumn('Last used', ({ usedAt }) => usedAt),
  actionsColumn(({ id }) => <Act path="/api/passkeys/remove" body={{ id }} label="Remove" />),
];

/** Lists the operator's own passkeys and sessions. */
export function AccountView() {
  const me = useMe();
  return (
    <>
      <ListPanel
        title="Your passkeys"
        label="Your passkeys"
        query={useApi<readonly OwnPasskey[]>('/api/passkeys')}
        of={(passkeys) => passkeys}
        columns={passkeyColumns}
        rows={2}
        actions={<AddPasskey />}
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

/** Returns a name for the passkey of this device, such as `Firefox on Linux`. */
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

function AddPasskey() {
  const add = useAction(addPasskey);
  return (
    <>
      <Problem of={add.error} />
      <Button tone="primary" icon="key" onPress={() => add.mutate({})} isPending={add.isPending}>
        Add a passkey
      </Button>
    </>
  );
}

type ActProps = { readonly path: string; readonly body?: object; readonly label: string };

/** A button of a row that does something at once. */
function Act({ path, body = {}, label }: ActProps) {
  const act = useAction(path);
  return (
    <Button onPress={() => act.mutate(body)} isPending={act.isPending}>
      {label}
    </Button>
  );
}

const sessionColumns: readonly Column<OperatorSession>[] = [
  { header: 'Person', fold: 'wrap', sort: ({ email }) => email },
  {
    header: 'Browser',
    isMinor: true,
    fold: 'clip',
    cell: ({ userAgent }) => <span title={userAgent}>{userAgent || 'not said'}</span>,
  },
  timeColumn('Signed in', ({ startedAt }) => startedAt, { isMinor: true }),
  { header: 'By', cell: wayText },
  timeColumn('Last seen', ({ seenAt }) => seenAt),
  actionsColumn(({ id, isOwn }) =>
    isOwn ? (
      <span className="quiet">this one</span>
    ) : (
      <Act path={`/api/sessions/${id}/revoke`} label="End" />
    ),
  ),
];

/** Says how a session was opened. A link signs in whoever opens it, so the text names the person who made it. */
function wayText({ way, linkBy }: OperatorSession): string {
  if (way === 'link') return linkBy === null ? 'a link' : `a link from ${linkBy}`;
  return way === 'passkey' ? 'a passkey' : 'the identity provider';
}

type SessionsProps = { readonly title: string; readonly path: string };

/** Lists sessions, each with a button that ends it. */
export function Sessions({ title, path }: SessionsProps) {
  return (
    <ListPanel
      title={title}
      label={title}
      query={useApi<readonly OperatorSession[]>(path)}
      of={(sessions) => sessions}
      columns={sessionColumns}
      rows={2}
    />
  );
}
