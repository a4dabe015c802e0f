import type { ExperimentAnswer, ExperimentArm } from '../../../contract/console/numbers.ts';
import { count, percent } from '../../format.ts';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { Card } from '../../parts/page.tsx';
import { TableBox } from '../../parts/table.tsx';
import { Count, Share } from '../../parts/values.tsx';
import { planShare } from './interval.ts';
import { IntervalChart } from './interval-chart.tsx';

/** Shows one experiment: what can be concluded, its arms, the differences with their intervals, guard rails. */
export function ExperimentCard({ experiment }: { readonly experiment: ExperimentAnswer }) {
  const { id, surveys, arms, comparisons, ratio, summary, guardRails } = experiment;
  const visits = arms.reduce((sum, arm) => sum + arm.visits, 0);
  return (
    <Card title={id} className="experiment" actions={<Surveys paths={surveys} />}>
      <div className="experiment-verdict" data-alarm={ratio.isMismatch}>
        {ratio.isMismatch && <Icon name="alert" />}
        <p>{summary}</p>
      </div>
      <Arms id={id} arms={arms} />
      {!ratio.isMismatch && visits > 0 && (
        <>
          <h3>Difference to {arms[0]?.variant}, in percentage points</h3>
          <IntervalChart comparisons={comparisons} base={arms[0]?.variant ?? ''} />
          <p className="quiet experiment-note">
            95 % confidence sequences: they hold however often you look. Accepted leads per visit
            decide; the others explain.
          </p>
          <GuardRails rails={guardRails} />
        </>
      )}
      <Plan visits={visits} planned={experiment.plannedVisits} p={ratio.p} />
    </Card>
  );
}

function Surveys({ paths }: { readonly paths: readonly string[] }) {
  return (
    <span className="experiment-surveys">
      {paths.map((path) => (
        <Go key={path} to={`/surveys?survey=${encodeURIComponent(path)}`} className="text-link">
          {path}
        </Go>
      ))}
    </span>
  );
}

function Arms({ id, arms }: { readonly id: string; readonly arms: readonly ExperimentArm[] }) {
  const weights = arms.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <TableBox label={`Variants of ${id}`}>
      <table className="table" aria-label={`Variants of ${id}`}>
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col" data-align="end" data-minor>
              Planned share
            </th>
            <th scope="col" data-align="end">
              Visits
            </th>
            <th scope="col" data-align="end" data-minor>
              Completed
            </th>
            <th scope="col" data-align="end">
              Accepted
            </th>
            <th scope="col" data-align="end" data-minor>
              Delivered
            </th>
            <th scope="col" data-align="end" data-minor>
              Held
            </th>
          </tr>
        </thead>
        <tbody>
          {arms.map(({ variant, weight, visits, completed, accepted, delivered, held }) => (
            <tr key={variant}>
              <th scope="row">{variant}</th>
              <td data-align="end" data-minor>
                {percent(weight, weights)}
              </td>
              <td data-align="end">{count(visits)}</td>
              <td data-align="end" data-minor>
                <Share part={completed} of={visits} />
              </td>
              <td data-align="end">
                <Share part={accepted} of={visits} />
              </td>
              <td data-align="end" data-minor>
                <Share part={delivered} of={visits} />
              </td>
              <td data-align="end" data-minor>
                <Count value={held} to={`/leads?variant=${id}.${variant}&lead=held`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

function GuardRails({ rails }: { readonly rails: ExperimentAnswer['guardRails'] }) {
  if (rails.length === 0) return null;
  return (
    <>
      <h3>Guard rails</h3>
      <ul className="guard-rails">
        {rails.map(({ name, text, isBroken }) => (
          <li key={`${name} ${text}`} data-broken={isBroken}>
            <Icon name={isBroken ? 'alert' : 'check'} />
            <span>
              <strong>{name}</strong> {text}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Plan({
  visits,
  planned,
  p,
}: {
  readonly visits: number;
  readonly planned: number;
  readonly p: number;
}) {
  return (
    <div className="experiment-plan">
      <progress max={1} value={planShare(visits, planned)} aria-label="Visits of the plan" />
      <p className="quiet">
        {count(visits)} of the planned {count(planned)} visits (N*), for which the intervals are
        narrowest. It can go on longer. Sample ratio: p{' '}
        {p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`}.
      </p>
    </div>
  );
}
