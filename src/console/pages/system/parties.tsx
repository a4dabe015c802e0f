import { useMemo, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { PartyTest, SystemAnswer, SystemParty } from '../../../contract/console/work.ts';
import { ApiError, apiPost, useApi, useMay } from '../../api.ts';
import { duration } from '../../format.ts';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago, Code, StateBadge } from '../../parts/values.tsx';

const columns: readonly Column<SystemParty>[] = [
  {
    id: 'title',
    header: 'Third party',
    cell: ({ title }) => <span className="system-title">{title}</span>,
    sort: ({ title }) => title,
  },
  {
    id: 'state',
    header: 'State',
    sort: ({ state }) => state,
    cell: (party) => (
      <span className="system-state">
        <StateBadge state={party.state} />
        <Trouble {...party} />
      </span>
    ),
  },
  {
    id: 'instead',
    header: 'Instead, or needed',
    isMinor: true,
    cell: (party) => <Instead {...party} />,
  },
  { id: 'error', header: 'Last error', isMinor: true, cell: (party) => <LastError {...party} /> },
  { id: 'test', header: 'Test call', cell: (party) => <Test party={party} /> },
];

/** The columns that are left out while no row has anything in them. */
const rare: Readonly<Record<string, (party: SystemParty) => boolean>> = {
  instead: ({ state }) => state === 'off' || state === 'embedded',
  error: ({ lastError }) => lastError !== null,
};

function PartiesTable({ parties }: Pick<SystemAnswer, 'parties'>) {
  const shown = useMemo(
    () => columns.filter(({ id }) => rare[id] === undefined || parties.some(rare[id])),
    [parties],
  );
  return (
    <DataTable label="Third parties" columns={shown} rows={parties} rowKey={({ name }) => name} />
  );
}

/** Lists the third parties: which are real, how they do, and a test call for each. */
export function PartiesView() {
  const system = useApi<SystemAnswer>('/api/system');
  return (
    <>
      <Panel title="Third parties" query={system} rows={12}>
        {({ parties }) => <PartiesTable parties={parties} />}
      </Panel>
      <Panel title="Database" query={system} rows={1}>
        {({ database }) => (
          <p className="system-note">
            PostgreSQL {database.version},{' '}
            {database.kind === 'embedded' ? 'built in' : 'at DATABASE_URL'}. It uses{' '}
            {gigabytes(database.bytes)}
            {database.freeBytes === null ? '' : `; ${gigabytes(database.freeBytes)} are free`}.
          </p>
        )}
      </Panel>
    </>
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(bytes < 1e9 ? 2 : 1)}\u202fGB`;
}

const circuitWords = {
  half_open: { tone: 'warn', text: 'being tried again' },
  open: { tone: 'bad', text: 'not called after failures' },
} as const;

/** A pause is an operator's decision, and no failure. */
function Trouble({ circuit, pausedBy }: SystemParty) {
  if (pausedBy !== null) {
    return (
      <span className="badge" data-tone="warn" title={`by ${pausedBy}`}>
        paused
      </span>
    );
  }
  if (circuit === null || circuit === 'closed') return null;
  const { tone, text } = circuitWords[circuit];
  return (
    <span className="badge system-calls" data-tone={tone}>
      {text}
    </span>
  );
}

function Instead({ state, instead, needs }: SystemParty) {
  if (state === 'real' || state === 'sandbox') return null;
  return (
    <span
      className="system-wide"
      title={needs.length > 0 ? `Needs ${needs.join(', ')}` : undefined}
    >
      {instead ?? (needs.length > 0 && <span className="quiet">needs {needs[0]}</span>)}
    </span>
  );
}

function LastError({ lastError, lastErrorAt }: SystemParty) {
  if (lastError === null) return null;
  return (
    <span className="system-wide">
      {lastError} {lastErrorAt !== null && <Ago at={lastErrorAt} />}
    </span>
  );
}

function Test({ party }: { readonly party: SystemParty }) {
  const mayTest = useMay('operator');
  const [result, setResult] = useState<PartyTest>();
  const [isPending, setIsPending] = useState(false);
  if (!party.canTest || !mayTest) return null;
  const run = async () => {
    setIsPending(true);
    try {
      setResult(await apiPost<PartyTest>(`/api/system/parties/${party.name}/test`));
    } catch (error) {
      setResult({
        ok: false,
        text: error instanceof ApiError ? error.detail : String(error),
        ms: 0,
      });
    }
    setIsPending(false);
  };
  return (
    <span className="system-test">
      <AriaButton
        className="text-link system-test-button"
        aria-label={`Test ${party.title}`}
        onPress={() => void run()}
        isPending={isPending}
      >
        {isPending ? 'Testing…' : 'Test'}
      </AriaButton>
      <span role="status" data-tone={result && (result.ok ? 'good' : 'bad')}>
        {result && (
          <>
            {result.ok ? 'Works' : 'Not proven'}: {result.text} <Code>{duration(result.ms)}</Code>
          </>
        )}
      </span>
    </span>
  );
}
