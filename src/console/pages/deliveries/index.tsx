/** Deliveries: how each destination does, why leads are not taken, and what to do about it. */
import type { LeadFilter } from '../../../contract/console/leads.ts';
import type { Period } from '../../../contract/console/numbers.ts';
import type { DeliveriesAnswer, DestinationAnswer } from '../../../contract/console/work.ts';
import { addressOf, useApi } from '../../api.ts';
import { capital, count, NONE, percent } from '../../format.ts';
import { useAddress } from '../../parts/address.tsx';
import { Sparkline } from '../../parts/charts.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { type Column, DataTable, stateColumn } from '../../parts/table.tsx';
import { Ago, Count, Duration } from '../../parts/values.tsx';
import { DestinationCard } from './destination-card.tsx';
import './deliveries.css';

/** Queues grow without events, so the page asks again by itself. */
const AGAIN_MS = 15_000;

export default function DeliveriesPage() {
  const { from, to, label } = usePeriod();
  const query = useApi<DeliveriesAnswer>(
    '/api/deliveries',
    { from, to },
    { refetchInterval: AGAIN_MS, placeholderData: (before) => before },
  );
  const [{ destination }, change] = useAddress();
  const choose = (name: string) => change({ destination: name });
  const shown = chosenOf(query.data?.destinations ?? [], destination);
  return (
    <Page title="Deliveries" summary={query.data?.summary}>
      <Panel title="Destinations" query={query} rows={6}>
        {({ destinations }) => (
          <DataTable
            label={`Destinations, ${label}`}
            columns={columnsOf({ from, to }, choose)}
            rows={destinations}
            rowKey={({ name }) => name}
            onRow={({ name }) => choose(name)}
          />
        )}
      </Panel>
      {shown && <DestinationCard key={shown.name} destination={shown} periodLabel={label} />}
    </Page>
  );
}

/** Returns the destination of the address; otherwise the one that needs a person most. */
function chosenOf(
  destinations: readonly DestinationAnswer[],
  name: string | undefined,
): DestinationAnswer | undefined {
  const named = destinations.find((each) => each.name === name);
  return named ?? destinations.toSorted((a, b) => urgency(b) - urgency(a))[0];
}

/** What was given up needs a person more than what only waits. */
function urgency({ state, waiting, retrying, dead, attempts }: DestinationAnswer): number {
  const isStopped = state === 'paused' || state === 'failing';
  return dead * 1e12 + Number(isStopped) * 1e9 + (waiting + retrying) * 1e4 + Math.min(attempts, 9);
}

/** Returns the list of leads with such a delivery. This page counts test leads too. */
function leadsAt(destination: string, filter: LeadFilter): string {
  return addressOf('/leads', { destination, tests: 'with', ...filter });
}

const columnsOf = (
  period: Period,
  choose: (name: string) => void,
): readonly Column<DestinationAnswer>[] => [
  {
    header: 'Destination',
    sort: ({ title }) => title.toLowerCase(),
    cell: ({ name, title }) => (
      <button type="button" className="destination-name clip" onClick={() => choose(name)}>
        <span className="at-desk">{capital(title)}</span> <span className="quiet">{name}</span>
      </button>
    ),
  },
  stateColumn(),
  {
    header: 'Waiting',
    align: 'end',
    sort: ({ waiting, retrying }) => waiting + retrying,
    cell: ({ name, waiting, retrying }) => (
      <>
        <Count
          value={waiting}
          to={waiting > 0 ? leadsAt(name, { delivery: 'waiting' }) : undefined}
        />
        {retrying > 0 && (
          <span className="quiet">
            {' '}
            + {count(retrying)}
            <span className="at-desk"> to retry</span>
          </span>
        )}
      </>
    ),
  },
  {
    header: 'Failed',
    align: 'end',
    sort: ({ dead }) => dead,
    cell: ({ name, dead, receives }) => (
      <span data-failed={dead > 0} title="Given up in this period">
        <Count
          value={dead}
          to={
            dead > 0 && receives === 'leads'
              ? leadsAt(name, { delivery: 'dead', by: 'end', ...period })
              : undefined
          }
        />
      </span>
    ),
  },
  {
    header: 'Oldest',
    align: 'end',
    isMinor: true,
    sort: ({ waitsSince }) => (waitsSince === null ? null : -Date.parse(waitsSince)),
    cell: ({ waitsSince }) => (waitsSince === null ? NONE : <Ago at={waitsSince} />),
  },
  {
    header: 'Attempts',
    align: 'end',
    isMinor: true,
    sort: ({ attempts }) => attempts,
    cell: ({ attempts, series }) => (
      <span className="destination-attempts">
        {series.length > 1 && <Sparkline values={series} />}
        <Count value={attempts} />
      </span>
    ),
  },
  {
    header: 'Taken',
    align: 'end',
    isMinor: true,
    sort: ({ delivered, attempts }) => (attempts === 0 ? null : delivered / attempts),
    cell: ({ delivered, attempts }) => (
      <span title={`${count(delivered)} of ${count(attempts)} attempts`}>
        {percent(delivered, attempts)}
      </span>
    ),
  },
  {
    header: 'p50',
    align: 'end',
    isMinor: true,
    sort: ({ p50Ms }) => p50Ms,
    cell: ({ p50Ms }) => <Duration ms={p50Ms} />,
  },
  {
    header: 'p95',
    align: 'end',
    isMinor: true,
    sort: ({ p95Ms }) => p95Ms,
    cell: ({ p95Ms }) => <Duration ms={p95Ms} />,
  },
];
