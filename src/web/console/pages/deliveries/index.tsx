import { keepPreviousData } from '@tanstack/react-query';
/** Deliveries: how each destination does, why leads are not taken, and what to do about it. */
import { useState } from 'react';
import type { LeadFilter } from '../../../../model/messages/console/leads.ts';
import type { Period } from '../../../../model/messages/console/numbers.ts';
import type { PlanRequest } from '../../../../model/messages/console/requests.ts';
import type {
  DeliveriesAnswer,
  DestinationAnswer,
  Plan,
} from '../../../../model/messages/console/work.ts';
import { addressOf, polled, useAction, useApi, useMay } from '../../api.ts';
import { capital, count, durationText, NONE, percent } from '../../format.ts';
import { LeadLink, useAddress, useGo } from '../../parts/address.tsx';
import { Bars } from '../../parts/charts.tsx';
import { Button, TextInput } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card, Page, Panel } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { type Column, DataTable, numberColumn, stateColumn } from '../../parts/table.tsx';
import { Ago, Count, Facts, type Tone } from '../../parts/values.tsx';
import './deliveries.css';

export default function DeliveriesPage() {
  const { from, to, label } = usePeriod();
  const query = useApi<DeliveriesAnswer>(
    '/api/deliveries',
    { from, to },
    { ...polled, placeholderData: keepPreviousData },
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
  numberColumn('Attempts', ({ attempts }) => attempts, { isMinor: true }),
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
  ...(['p50Ms', 'p95Ms'] as const).map(
    (key): Column<DestinationAnswer> => ({
      header: key.slice(0, 3),
      align: 'end',
      isMinor: true,
      sort: (destination) => destination[key],
      cell: (destination) => durationText(destination[key]),
    }),
  ),
];

type Props = { readonly destination: DestinationAnswer };
type CardProps = Props & { readonly periodLabel: string };

function DestinationCard({ destination, periodLabel }: CardProps) {
  const { name, title, state, pausedAt, pausedBy, pauseReason, reasons } = destination;
  const may = useMay('operator');
  return (
    <Card
      title={`${capital(title)} (${name})`}
      actions={
        may && (
          <>
            {destination.dead > 0 && <RecoverAction destination={destination} />}
            {pausedAt === null && state !== 'off' && <PauseAction destination={destination} />}
            {pausedAt !== null && <ResumeAction destination={destination} />}
          </>
        )
      }
    >
      <div className="body stack destination">
        <Facts
          isWide
          of={{
            [`Paused by ${pausedBy === 'answer' ? 'its answer' : pausedBy}`]: pausedAt && (
              <>
                <Ago at={pausedAt} />
                {pauseReason !== null && `: ${pauseReason}`}
              </>
            ),
            'Last failure': destination.lastFailure ?? 'none since the last success',
          }}
        />
        <Outcomes destination={destination} periodLabel={periodLabel} />
        {reasons.length === 0 ? (
          <p className="quiet">No delivery failed or is being retried.</p>
        ) : (
          <section aria-labelledby="reasons">
            <h3 id="reasons">
              Why deliveries were not taken{' '}
              <span className="quiet">of the newest failures, and of what is retried now</span>
            </h3>
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
          </section>
        )}
      </div>
    </Card>
  );
}

function Outcomes({ destination, periodLabel }: CardProps) {
  const { attempts, delivered, rejected, failed } = destination;
  if (attempts === 0) return <p className="quiet">Nothing was sent in this period.</p>;
  const bar = (word: string, tone: Tone, value: number) => ({
    label: `${word}, ${percent(value, attempts)}`,
    tone,
    value,
  });
  return (
    <section aria-label={`Attempts, ${periodLabel}`}>
      <h3>
        {count(attempts)} attempts <span className="quiet">{periodLabel}</span>
      </h3>
      <Bars
        rows={[
          bar('taken', 'good', delivered),
          bar('refused', 'warn', rejected),
          bar('failed', 'bad', failed),
        ]}
      />
    </section>
  );
}

function PauseAction({ destination: { name, title, receives, expiresAt } }: Props) {
  const pause = useAction<{ reason: string }>(`/api/destinations/${name}/pause`);
  return (
    <ActionDialog
      title={`Pause deliveries to ${title}`}
      trigger={<Button icon="pause">Pause</Button>}
      means={
        <p>
          No server sends anything more to {title} until a person resumes it. Sends in progress end.{' '}
          {expiresAt === null
            ? `New ${receives} wait, and none is lost.`
            : `Certificates expire after 3 days: resume before ${expiresAt}.`}
        </p>
      }
      confirmLabel="Pause"
      onConfirm={(reason) => pause.mutateAsync({ reason })}
    />
  );
}

function ResumeAction({ destination }: Props) {
  const { name, title, receives, waiting, retrying, pausedBy } = destination;
  const resume = useAction<{ reason: string }>(`/api/destinations/${name}/resume`);
  const queued = waiting + retrying;
  return (
    <ActionDialog
      title={`Resume deliveries to ${title}`}
      trigger={
        <Button icon="play" tone="primary">
          Resume
        </Button>
      }
      means={
        <p>
          {queued === 0 ? `Nothing waits; new ${receives} go` : `${count(queued)} ${receives} go`}{' '}
          to {title} at once.
          {pausedBy === 'answer' &&
            ' If it still refuses our account, it is paused again after one answer.'}{' '}
          {destination.lost}
        </p>
      }
      confirmLabel="Resume"
      onConfirm={(reason) => resume.mutateAsync({ reason })}
    />
  );
}

/** Makes a plan that sends everything again that failed since a day. */
function RecoverAction({ destination: { name, title, dead } }: Props) {
  const { from } = usePeriod();
  const [since, setSince] = useState(from);
  const make = useAction<PlanRequest, Plan>('/api/plans');
  const go = useGo();
  const recover = async (reason: string) => {
    const request = { action: 'resend', reason, recover: { destination: name, since } } as const;
    const { id } = await make.mutateAsync(request);
    go(`/plans/${id}`);
  };
  return (
    <ActionDialog
      title={`Recover deliveries to ${title}`}
      trigger={<Button>Recover {count(dead)} failed</Button>}
      means={
        <p>
          This makes a plan of all deliveries to {title} that were given up since a day. You see the
          exact list first; nothing is sent before you start it. What {title} has taken or already
          knows is left out.
        </p>
      }
      confirmLabel="Make the plan"
      onConfirm={recover}
    >
      <TextInput label="Given up since" type="date" value={since} onChange={setSince} />
    </ActionDialog>
  );
}
