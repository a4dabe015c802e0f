import { startRegistration } from '@simplewebauthn/browser';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperatorSession, OwnPasskey } from '../../../contract/console/people.ts';
import { ApiError, apiPost, useAction, useApi, useMe } from '../../api.ts';
import { Button } from '../../parts/controls.tsx';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago } from '../../parts/values.tsx';
import { SessionsTable } from './sessions.tsx';

const columns: readonly Column<OwnPasskey>[] = [
  { id: 'name', header: 'Passkey', cell: ({ name }) => name },
  { id: 'created', header: 'Added', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { id: 'used', header: 'Last used', cell: ({ usedAt }) => <Ago at={usedAt} /> },
  {
    id: 'remove',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: ({ id }) => <Remove id={id} />,
  },
];

/** Lists the operator's own passkeys and sessions. */
export function AccountView() {
  const me = useMe();
  const passkeys = useApi<readonly OwnPasskey[]>('/api/passkeys');
  const sessions = useApi<readonly OperatorSession[]>('/api/sessions');
  return (
    <>
      <Panel
        title="Your passkeys"
        query={passkeys}
        rows={2}
        actions={<AddPasskey />}
        empty="You have no passkey. With one you sign in by your device instead of a link."
      >
        {(rows) => (
          <DataTable label="Your passkeys" columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </Panel>
      <Panel title="Your sessions" query={sessions} rows={2}>
        {(rows) => <SessionsTable rows={rows} />}
      </Panel>
      {me && (
        <p className="system-note">
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

function AddPasskey() {
  const client = useQueryClient();
  const [problem, setProblem] = useState('');
  const [isPending, setIsPending] = useState(false);
  const add = async () => {
    setProblem('');
    setIsPending(true);
    try {
      const optionsJSON = await apiPost<Options>('/api/passkeys/options');
      const response = await startRegistration({ optionsJSON });
      await apiPost('/api/passkeys', { name: deviceName(), response });
      await client.invalidateQueries();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.detail : 'No passkey was made.');
    }
    setIsPending(false);
  };
  return (
    <>
      <span className="system-problem" role="alert">
        {problem}
      </span>
      <Button tone="primary" icon="key" onPress={() => void add()} isPending={isPending}>
        Add a passkey
      </Button>
    </>
  );
}

function Remove({ id }: { readonly id: string }) {
  const remove = useAction<{ id: string }>('/api/passkeys/remove');
  return (
    <Button onPress={() => remove.mutate({ id })} isPending={remove.isPending}>
      Remove
    </Button>
  );
}
