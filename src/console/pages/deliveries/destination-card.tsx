/** One destination: what it did in the period, why it did not take leads, and the actions. */
import type { DestinationAnswer } from '../../../contract/console/work.ts';
import { useMay } from '../../api.ts';
import { capital, count, leadName, percent } from '../../format.ts';
import { Go } from '../../parts/link.tsx';
import { Card, Empty } from '../../parts/page.tsx';
import { Ago, Duration, StateBadge } from '../../parts/values.tsx';
import { PauseAction, RecoverAction, ResumeAction } from './actions.tsx';

type Props = { readonly destination: DestinationAnswer; readonly periodLabel: string };

/** Draws the chosen destination. */
export function DestinationCard({ destination, periodLabel }: Props) {
  const { name, title, state, pausedAt } = destination;
  const may = useMay('operator');
  return (
    <Card
      title={`${capital(title)} (${name})`}
      className="destination"
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
      <div className="destination-body">
        <Standing destination={destination} />
        <Outcomes destination={destination} periodLabel={periodLabel} />
        <Reasons destination={destination} />
      </div>
    </Card>
  );
}

/** Says how the destination stands now. */
function Standing({ destination }: { readonly destination: DestinationAnswer }) {
  const { state, pausedBy, pausedAt, pauseReason, lastFailure, waitsSince } = destination;
  return (
    <dl className="facts">
      <div>
        <dt>Now</dt>
        <dd>
          <StateBadge state={state} />
        </dd>
      </div>
      {pausedAt !== null && (
        <div>
          <dt>Paused {pausedBy === 'answer' ? 'by its answer' : `by ${pausedBy}`}</dt>
          <dd>
            <Ago at={pausedAt} />
            {pauseReason !== null && `: ${pauseReason}`}
          </dd>
        </div>
      )}
      {waitsSince !== null && (
        <div>
          <dt>Oldest waits since</dt>
          <dd>
            <Ago at={waitsSince} />
          </dd>
        </div>
      )}
      {lastFailure !== null && (
        <div>
          <dt>Last failure</dt>
          <dd>{lastFailure}</dd>
        </div>
      )}
      <div>
        <dt>Median attempt</dt>
        <dd>
          <Duration ms={destination.p50Ms} />
        </dd>
      </div>
      <div>
        <dt>Slowest 5 %</dt>
        <dd>
          <Duration ms={destination.p95Ms} />
        </dd>
      </div>
    </dl>
  );
}

/** Draws the attempts of the period by outcome. */
function Outcomes({ destination, periodLabel }: Props) {
  const { attempts, delivered, rejected, failed } = destination;
  if (attempts === 0) return <p className="quiet">Nothing was sent in this period.</p>;
  const parts = [
    { id: 'taken', label: 'taken', number: delivered },
    { id: 'refused', label: 'refused', number: rejected },
    { id: 'failed', label: 'failed', number: failed },
  ];
  return (
    <section aria-label={`Attempts, ${periodLabel}`}>
      <h3>
        {count(attempts)} attempts <span className="quiet">{periodLabel}</span>
      </h3>
      <div className="outcomes" aria-hidden="true">
        {parts.map(({ id, number }) => (
          <span key={id} data-outcome={id} style={{ flexGrow: number }} />
        ))}
      </div>
      <ul className="outcomes-key">
        {parts.map(({ id, label, number }) => (
          <li key={id} data-outcome={id}>
            {count(number)} {label} <span className="quiet">{percent(number, attempts)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Lists why deliveries were not taken, with examples. */
function Reasons({ destination }: { readonly destination: DestinationAnswer }) {
  const { reasons } = destination;
  if (reasons.length === 0) return <Empty>No delivery failed or is being retried.</Empty>;
  const most = Math.max(...reasons.map(({ deliveries }) => deliveries));
  return (
    <section aria-labelledby="reasons">
      <h3 id="reasons">
        Why deliveries were not taken{' '}
        <span className="quiet">of the newest failures, and of what is retried now</span>
      </h3>
      <ul className="reasons">
        {reasons.map(({ text, deliveries, examples }) => (
          <li key={text}>
            <span className="reason-fill" style={{ width: `${(100 * deliveries) / most}%` }} />
            <span className="reason-count">{count(deliveries)}</span>
            <span className="reason-text">{text}</span>
            <span className="reason-examples">
              {examples.map((id) => (
                <Go
                  key={id}
                  to={`/leads/${id}`}
                  className="text-link"
                  label={`Lead ${leadName(id)}`}
                >
                  {leadName(id)}
                </Go>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
