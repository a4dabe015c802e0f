import type {
  PartyTest,
  SystemAnswer,
  SystemParty,
} from '../../../../model/messages/console/work.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { capital, duration } from '../../format.ts';
import { Panel } from '../../parts/page.tsx';
import { type Column, ListPanel } from '../../parts/table.tsx';
import { Ago, Badge, Code, StateBadge } from '../../parts/values.tsx';

const columns: readonly Column<SystemParty>[] = [
  { header: 'Third party', fold: 'wrap', sort: ({ title }) => capital(title) },
  {
    header: 'State',
    sort: ({ state }) => state,
    cell: (party) => (
      <span className="row">
        <StateBadge state={party.state} />
        <Trouble {...party} />
      </span>
    ),
  },
  {
    header: 'Instead, or needed',
    isMinor: true,
    cell: ({ state, instead, needs }) =>
      state !== 'real' &&
      state !== 'sandbox' && (
        <span className="clip" title={needs.length > 0 ? `Needs ${needs.join(', ')}` : undefined}>
          {instead ?? (needs.length > 0 && <span className="quiet">needs {needs[0]}</span>)}
        </span>
      ),
  },
  {
    header: 'Last error',
    isMinor: true,
    fold: 'clip',
    cell: ({ lastError, lastErrorAt }) => (
      <>
        {lastError} {lastErrorAt !== null && <Ago at={lastErrorAt} />}
      </>
    ),
  },
  { header: 'Test call', cell: (party) => party.canTest && <Test party={party} /> },
];

/** Lists the third parties: which are real, how they do, and a test call for each. */
export function PartiesView() {
  const system = useApi<SystemAnswer>('/api/system');
  return (
    <>
      <ListPanel
        title="Third parties"
        query={system}
        of={({ parties }) => parties}
        columns={columns}
        rowKey={({ name }) => name}
        rows={12}
      />
      <Panel title="Database" query={system} rows={1}>
        {({ database }) => (
          <p className="body quiet">
            PostgreSQL {database.version},{' '}
            {database.kind === 'embedded' ? 'built in' : 'at DATABASE_URL'}. It uses{' '}
            {gigabytes(database.bytes)}
            {database.freeBytes !== null && `; ${gigabytes(database.freeBytes)} are free`}.
          </p>
        )}
      </Panel>
    </>
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(bytes < 1e9 ? 2 : 1)}\u202fGB`;
}

/** A pause is an operator's decision, and no failure. */
function Trouble({ circuit, pausedBy }: SystemParty) {
  if (pausedBy !== null) {
    return (
      <span title={`by ${pausedBy}`}>
        <Badge tone="warn">paused</Badge>
      </span>
    );
  }
  if (circuit === 'half_open') return <Badge tone="warn">being tried again</Badge>;
  return circuit === 'open' && <Badge tone="bad">not called after failures</Badge>;
}

function Test({ party: { name, title } }: { readonly party: SystemParty }) {
  const mayTest = useMay('operator');
  const test = useAction<unknown, PartyTest>(`/api/system/parties/${name}/test`);
  const result = test.error ? { ok: false, text: test.error.message, ms: 0 } : test.data;
  if (!mayTest) return null;
  return (
    <span className="row small">
      <button
        type="button"
        className="count-link quiet"
        aria-label={`Test ${title}`}
        onClick={() => !test.isPending && test.mutate({})}
      >
        {test.isPending ? 'Testing…' : 'Test'}
      </button>
      <span role="status">
        {result && (
          <Badge tone={result.ok ? 'good' : 'bad'}>
            {result.ok ? 'Works' : 'Not proven'}: {result.text} <Code>{duration(result.ms)}</Code>
          </Badge>
        )}
      </span>
    </span>
  );
}
