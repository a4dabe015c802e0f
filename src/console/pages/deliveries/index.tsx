/** Deliveries: how each destination does, why leads are not taken, and what to do about it. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import type { Period } from '../../../contract/console/numbers.ts';
import type { DeliveriesAnswer, DestinationAnswer } from '../../../contract/console/work.ts';
import { addressOf, useApi } from '../../api.ts';
import { capital, count, percent } from '../../format.ts';
import { Sparkline } from '../../parts/charts.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago, Count, Duration, StateBadge } from '../../parts/values.tsx';
import { usePeriod } from '../../shell/period.tsx';
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
  const { destination: chosen } = useSearch({ strict: false }) as { destination?: string };
  const navigate = useNavigate();
  const choose = ({ name }: DestinationAnswer) =>
    navigate({
      to: '.',
      search: withDestination(name),
      replace: true,
      resetScroll: false,
    });
  const columns = useMemo(() => columnsOf({ from, to }), [from, to]);
  const shown = chosenOf(query.data?.destinations ?? [], chosen);
  return (
    <Page title="Deliveries" summary={query.data?.summary}>
      <Panel title="Destinations" query={query} rows={6}>
        {({ destinations }) => (
          <DataTable
            label={`Destinations, ${label}`}
            columns={columns}
            rows={destinations}
            rowKey={({ name }) => name}
            onRow={choose}
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
  if (named) return named;
  const [first] = [...destinations].sort((a, b) => urgency(b) - urgency(a));
  return first;
}

/** What was given up needs a person more than what only waits. */
function urgency({ state, waiting, retrying, dead, attempts }: DestinationAnswer): number {
  const isStopped = state === 'paused' || state === 'failing';
  return dead * 1e12 + Number(isStopped) * 1e9 + (waiting + retrying) * 1e4 + Math.min(attempts, 9);
}

/** Tells how a sparkline runs. */
function rateText(series: readonly number[]): string {
  return `From ${count(series[0] ?? 0)} to ${count(series.at(-1) ?? 0)}, at most ${count(Math.max(...series))}`;
}

/** Changes the destination in the address; the period stays. */
function withDestination(destination: string) {
  return ((now: Record<string, string>) => ({ ...now, destination })) as never;
}

/** Returns the list of leads with such a delivery. This page counts test leads too. */
function leadsAt(destination: string, filter: LeadFilter): string {
  return addressOf('/leads', { destination, tests: 'with', ...filter });
}

const columnsOf = (period: Period): readonly Column<DestinationAnswer>[] => [
  {
    id: 'name',
    header: 'Destination',
    cell: ({ name, title }) => (
      <Link
        to="."
        search={withDestination(name)}
        replace
        resetScroll={false}
        className="destination-name"
      >
        <strong>{capital(title)}</strong> <span className="quiet">{name}</span>
      </Link>
    ),
    sort: ({ title }) => title.toLowerCase(),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => <StateBadge state={state} />,
    sort: ({ state }) => state,
  },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'end',
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
            <span className="destination-more"> to retry</span>
          </span>
        )}
      </>
    ),
    sort: ({ waiting, retrying }) => waiting + retrying,
  },
  {
    id: 'failed',
    header: 'Failed',
    align: 'end',
    cell: ({ name, dead, receives }) => (
      <span className={dead > 0 ? 'destination-failed' : undefined} title="Given up in this period">
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
    sort: ({ dead }) => dead,
  },
  {
    id: 'oldest',
    header: 'Oldest',
    align: 'end',
    isMinor: true,
    cell: ({ waitsSince }) =>
      waitsSince === null ? <span className="quiet">–</span> : <Ago at={waitsSince} />,
    sort: ({ waitsSince }) => (waitsSince === null ? null : -Date.parse(waitsSince)),
  },
  {
    id: 'attempts',
    header: 'Attempts',
    align: 'end',
    isMinor: true,
    cell: ({ attempts, series }) => (
      <span className="destination-attempts">
        {series.length > 1 && <Sparkline values={series} label={rateText(series)} />}
        <Count value={attempts} />
      </span>
    ),
    sort: ({ attempts }) => attempts,
  },
  {
    id: 'taken',
    header: 'Taken',
    align: 'end',
    isMinor: true,
    cell: ({ delivered, attempts }) => (
      <span title={`${count(delivered)} of ${count(attempts)} attempts`}>
        {percent(delivered, attempts)}
      </span>
    ),
    sort: ({ delivered, attempts }) => (attempts === 0 ? null : delivered / attempts),
  },
  {
    id: 'p50',
    header: 'p50',
    align: 'end',
    isMinor: true,
    cell: ({ p50Ms }) => <Duration ms={p50Ms} />,
    sort: ({ p50Ms }) => p50Ms,
  },
  {
    id: 'p95',
    header: 'p95',
    align: 'end',
    isMinor: true,
    cell: ({ p95Ms }) => <Duration ms={p95Ms} />,
    sort: ({ p95Ms }) => p95Ms,
  },
];
