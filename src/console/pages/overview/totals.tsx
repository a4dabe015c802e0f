import type { OverviewAnswer, TotalName } from '../../../contract/console/numbers.ts';
import { totalNames } from '../../../contract/console/numbers.ts';
import { day, dayOf, percent, timeOfDay } from '../../format.ts';
import { LineChart } from '../../parts/charts.tsx';
import { useNow } from '../../parts/now.ts';
import { Ago, Change, Count, useTimeZone } from '../../parts/values.tsx';
import { mainTotals, totalWords, wholeWords } from './names.ts';
import { useBehind, useChange, useSelection } from './selection.ts';
import './totals.css';

/** Shows the four totals of the way to a buyer, and the others below. A total's name chooses what the chart shows; its number leads to the list. */
export function Totals({ of }: { readonly of: OverviewAnswer }) {
  const { metric } = useSelection();
  const hasErrors = of.totals.pageErrors + of.totalsBefore.pageErrors > 0;
  const aside = hasErrors ? [...asideTotals, 'pageErrors' as const] : asideTotals;
  return (
    <>
      <ol className="totals">
        {mainTotals.map((name) => (
          <Total key={name} name={name} of={of} isChosen={name === metric} />
        ))}
      </ol>
      <ul className="totals totals-aside">
        {aside.map((name) => (
          <Total key={name} name={name} of={of} isChosen={name === metric} />
        ))}
      </ul>
      <Series of={of} metric={metric} />
    </>
  );
}

/** The totals that stand beside that way. Errors of the page join them once there are any. */
export const asideTotals = totalNames.filter(
  (name) => name !== 'pageErrors' && !mainTotals.includes(name),
);

type TotalProps = {
  readonly name: TotalName;
  readonly of: OverviewAnswer;
  readonly isChosen: boolean;
};

function Total({ name, of: { totals, totalsBefore }, isChosen }: TotalProps) {
  const { isCompared } = useSelection();
  const change = useChange();
  const behind = useBehind();
  const { label, means, of: whole } = totalWords[name];
  return (
    <li className="total" data-chosen={isChosen}>
      <button
        type="button"
        className="total-name"
        aria-pressed={isChosen}
        title={means}
        onClick={() => change({ metric: name === 'visits' ? undefined : name })}
      >
        {label}
      </button>
      <span className="total-figure">
        <Count value={totals[name]} to={behind(name)} />
      </span>
      <span className="total-notes">
        {isCompared && <Change value={totals[name]} before={totalsBefore[name]} />}
        {whole !== undefined && (
          <span className="total-share">
            {percent(totals[name], totals[whole], 0)} of {wholeWords[whole]}
          </span>
        )}
      </span>
    </li>
  );
}

type SeriesProps = { readonly of: OverviewAnswer; readonly metric: TotalName };

function Series({ of, metric }: SeriesProps) {
  const { isCompared } = useSelection();
  const { period, before, series, seriesBefore, countedUntil } = of;
  const timeZone = useTimeZone();
  const now = useNow();
  const isOngoing = period.to === dayOf(now, timeZone);
  const isOneDay = period.from === period.to;
  const { label } = totalWords[metric];
  const points = (all: OverviewAnswer['series']) =>
    all.map(({ at, totals }) => ({ at, value: totals[metric] }));
  // The hours to come have no visits yet.
  const past = isOneDay ? series.filter(({ at }) => Date.parse(at) <= now) : series;
  return (
    <div className="series">
      <p className="series-head">
        <strong>
          {label} by {isOneDay ? 'hour' : 'day'}
        </strong>
        <span className="legend">{daysText(period)}</span>
        {isCompared && <span className="legend legend-before">{daysText(before)}</span>}
        <span className="series-age">
          Counted <Ago at={countedUntil} />
        </span>
      </p>
      <LineChart
        series={points(past)}
        before={isCompared ? points(seriesBefore) : undefined}
        formatAt={(at) => (isOneDay ? timeOfDay(at, timeZone) : dayText(at, timeZone))}
        label={label}
        isLastPartial={isOngoing}
      />
    </div>
  );
}

/** The series names days as such, or by the moment in which they begin. */
function dayText(at: string, timeZone: string): string {
  return day(at.length === 10 ? at : dayOf(Date.parse(at), timeZone));
}

function daysText({ from, to }: OverviewAnswer['period']): string {
  return from === to ? day(from) : `${day(from)} – ${day(to)}`;
}
