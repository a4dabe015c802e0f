import { useState } from 'react';
import type { LeadFilter } from '../../../../model/messages/console/leads.ts';
import type { Period } from '../../../../model/messages/console/numbers.ts';
import type { PlanRequest } from '../../../../model/messages/console/requests.ts';
import type {
  DeliveriesAnswer,
  DestinationAnswer,
  Plan,
} from '../../../../model/messages/console/work.ts';
import { addressOf, apiPost, steady, useApi, useMay } from '../../api.ts';
import { capital, count, counted, durationText, NONE, percent } from '../../format.ts';
import { LeadLink, useGo, useUrlQuery } from '../../parts/address.tsx';
import { Bars } from '../../parts/charts.tsx';
import { Button, TextInput } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { type Column, ListPanel, numberColumn, stateColumn } from '../../parts/table.tsx';
import { Ago, Count, Facts, StateBadge } from '../../parts/values.tsx';

export default function DeliveriesPage() {
  const { from, to, label } = usePeriod();
  const query = useApi<DeliveriesAnswer>('/api/deliveries', { from, to }, steady);
  const [{ destination }, change] = useUrlQuery();
  const choose = (name: string) => change({ destination: name });
  const shown = chosenOf(query.data?.destinations ?? [], destination);
  return (
    <Page title="Deliveries" summary={[]}>
      <ListPanel
        title="Destinations"
        label={`Destinations, ${label}`}
        query={query}
        rows={6}
        of={({ destinations }) => destinations}
        columns={columnsOf({ from, to }, choose)}
        rowKey={({ name }) => name}
        onRow={({ name }) => choose(name)}
      />
      {shown && <DestinationCard key={shown.name} destination={shown} periodLabel={label} />}
    </Page>
  );
}

function chosenOf(
  destinations: readonly DestinationAnswer[],
  name: string | undefined,
): DestinationAnswer | undefined {
  const named = destinations.find((each) => each.name === name);
  return named ?? destinations.toSorted((a, b) => urgency(b) - urgency(a))[0];
}

/** Returns a rank by which the most urgent destination comes first. */
function urgency({ state, waiting, retrying, dead, attempts }: DestinationAnswer): number {
  const isStopped = state === 'paused' || state === 'failing';
  return dead * 1e12 + Number(isStopped) * 1e9 + (waiting + retrying) * 1e4 + Math.min(attempts, 9);
}

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
    cell: ({ name, title, state }) => (
      <>
        <button type="button" className="count-link clip" onClick={() => choose(name)}>
          {capital(title)} <span className="at-desk quiet">{name}</span>
        </button>
        <p className="on-phone fine">
          <StateBadge state={state} />
        </p>
      </>
    ),
  },
  stateColumn({ isMinor: true }),
  numberColumn('Waiting', ({ waiting, retrying }) => waiting + retrying, {
    cell: ({ name, waiting, retrying }) => (
      <>
        <Count
          value={waiting}
          to={waiting > 0 ? leadsAt(name, { delivery: 'waiting' }) : undefined}
        />
        {retrying > 0 && <span className="quiet"> + {count(retrying)} to retry</span>}
      </>
    ),
  }),
  numberColumn('Given up', ({ dead }) => dead, {
    cell: ({ name, dead, receives }) => {
      const filter = { delivery: 'dead', by: 'end', ...period };
      const to = dead > 0 && receives === 'leads' ? leadsAt(name, filter) : undefined;
      return (
        <span className={dead > 0 ? 'problem' : undefined}>
          <Count value={dead} to={to} />
        </span>
      );
    },
  }),
  {
    header: 'Oldest',
    align: 'end',
    isMinor: true,
    sort: ({ waitsSince }) => (waitsSince === null ? null : -Date.parse(waitsSince)),
    cell: ({ waitsSince }) => (waitsSince === null ? NONE : <Ago at={waitsSince} />),
  },
  numberColumn('Attempts', ({ attempts }) => attempts, { isMinor: true }),
  numberColumn('Taken', ({ delivered, attempts }) => (attempts ? delivered / attempts : null), {
    isMinor: true,
    cell: ({ delivered, attempts }) => percent(delivered, attempts),
  }),
  ...(['p50Ms', 'p95Ms'] as const).map((key) =>
    numberColumn<DestinationAnswer>(key.slice(0, 3), (destination) => destination[key], {
      isMinor: true,
      cell: (destination) => durationText(destination[key]),
    }),
  ),
];

type Props = { readonly destination: DestinationAnswer };
type CardProps = Props & { readonly periodLabel: string };

function DestinationCard({ destination, periodLabel }: CardProps) {
  const { name, title, state, dead, pausedAt, pausedBy, pauseReason, reasons } = destination;
  const { attempts, delivered, rejected, failed } = destination;
  const share = (part: number) => percent(part, attempts);
  const may = useMay('operator');
  return (
    <Card
      title={`${capital(title)} (${name})`}
      actions={
        may && (
          <>
            {dead > 0 && <RecoverAction destination={destination} />}
            {pausedAt === null && state !== 'off' && <PauseAction destination={destination} />}
            {pausedAt !== null && <ResumeAction destination={destination} />}
          </>
        )
      }
    >
      <div className="body stack">
        <Facts
          isWide
          of={{
            [`Paused by ${pausedBy === 'answer' ? 'its answer' : pausedBy}`]: pausedAt && (
              <>
                <Ago at={pausedAt} />
                {pauseReason !== null && `: ${pauseReason}`}
              </>
            ),
            [`${counted(attempts, 'attempt')}, ${periodLabel}`]: `${share(delivered)} taken, ${share(rejected)} refused, ${share(failed)} failed`,
            'Last failure': destination.lastFailure ?? 'none since the last success',
          }}
        />
        <h3>Reasons of the newest failures and retries</h3>
        {reasons.length === 0 && <p className="quiet">No delivery failed or is being retried.</p>}
        <Bars
          rows={reasons.map(({ text, deliveries, examples }) => ({
            label: text,
            value: deliveries,
            more: (
              <span className="row fine">
                {examples.map((id) => (
                  <LeadLink key={id} id={id} />
                ))}
              </span>
            ),
          }))}
        />
      </div>
    </Card>
  );
}

const pathOf = (name: string) => `/api/destinations/${encodeURIComponent(name)}`;

function PauseAction({ destination: { name, title, receives } }: Props) {
  return (
    <ActionDialog
      title={`Pause deliveries to ${title}`}
      trigger={<Button icon="pause">Pause</Button>}
      means={`No server sends to ${title} until a person resumes it. Sends in progress end. ${
        name === 'trustedform'
          ? 'Certificates expire after 3 days.'
          : `New ${receives} wait, and none is lost.`
      }`}
      confirmLabel="Pause"
      onConfirm={(reason) => apiPost(`${pathOf(name)}/pause`, { reason })}
    />
  );
}

function ResumeAction({ destination }: Props) {
  const { name, title, receives, waiting, retrying, pausedBy } = destination;
  const queued = waiting + retrying;
  const what = queued === 0 ? `New ${receives}` : `${count(queued)} waiting ${receives}`;
  const again =
    pausedBy === 'answer' ? 'If it still refuses our account, one answer pauses it again.' : '';
  return (
    <ActionDialog
      title={`Resume deliveries to ${title}`}
      trigger={
        <Button icon="play" tone="primary">
          Resume
        </Button>
      }
      means={`${what} go to ${title} at once. ${again}`}
      confirmLabel="Resume"
      onConfirm={(reason) => apiPost(`${pathOf(name)}/resume`, { reason })}
    />
  );
}

function RecoverAction({ destination: { name, title, dead } }: Props) {
  const { from } = usePeriod();
  const [since, setSince] = useState(from);
  const go = useGo();
  return (
    <ActionDialog
      title={`Recover deliveries to ${title}`}
      trigger={<Button>Recover {count(dead)} failed</Button>}
      means={`This makes a plan of all deliveries to ${title} that were given up since a day. The next page shows the exact list, and waits until you start. The plan leaves out what ${title} has already.`}
      confirmLabel="Make the plan"
      onConfirm={async (reason) => {
        const recover = { destination: name, since };
        const request: PlanRequest = { action: 'resend', reason, recover };
        const { id } = await apiPost<Plan>('/api/plans', request);
        go(`/plans/${id}`);
      }}
    >
      <TextInput label="Given up since" type="date" value={since} onChange={setSince} />
    </ActionDialog>
  );
}
