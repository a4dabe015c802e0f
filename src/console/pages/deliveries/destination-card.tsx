/** One destination: what it did in the period, why it did not take leads, and the actions. */
import { useState } from 'react';
import type { PlanRequest } from '../../../contract/console/requests.ts';
import type { DestinationAnswer, Plan } from '../../../contract/console/work.ts';
import { useAction, useMay } from '../../api.ts';
import { capital, count, percent } from '../../format.ts';
import { LeadLink, useGo } from '../../parts/address.tsx';
import { Bars } from '../../parts/charts.tsx';
import { Button, TextInput } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { Ago, Duration, Facts, StateBadge, type Tone } from '../../parts/values.tsx';

type Props = { readonly destination: DestinationAnswer };
type CardProps = Props & { readonly periodLabel: string };

export function DestinationCard({ destination, periodLabel }: CardProps) {
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
            Now: <StateBadge state={state} />,
            [`Paused by ${pausedBy === 'answer' ? 'its answer' : pausedBy}`]: pausedAt && (
              <>
                <Ago at={pausedAt} />
                {pauseReason !== null && `: ${pauseReason}`}
              </>
            ),
            'Oldest waits since': destination.waitsSince && <Ago at={destination.waitsSince} />,
            'Last failure': destination.lastFailure,
            'Median attempt': <Duration ms={destination.p50Ms} />,
            'Slowest 5 %': <Duration ms={destination.p95Ms} />,
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
