import type { OverviewAnswer, TotalName } from '../../../contract/console/numbers.ts';
import { totalNames } from '../../../contract/console/numbers.ts';
import { day, dayOf, percent, timeOfDay } from '../../format.ts';
import { useAddress } from '../../parts/address.tsx';
import { LineChart } from '../../parts/charts.tsx';
import { daysText } from '../../parts/period.tsx';
import { Ago, Change, Count, useNow, useTimeZone } from '../../parts/values.tsx';
import { totalWords, useBehind, useSelection } from './selection.ts';

const mainTotals: readonly TotalName[] = ['visits', 'completed', 'accepted', 'delivered'];
const asideTotals = totalNames.filter((name) => !mainTotals.includes(name));

/** What a total is called as the whole of a share. */
const wholeWords: Readonly<Partial<Record<TotalName, string>>> = {
  visits: 'visits',
  completed: 'leads',
  accepted: 'accepted',
};

type TotalsProps = { readonly of: OverviewAnswer };

/**
 * Shows the four totals of the way to a buyer, and the others below; errors of the page only once there are any. A
 * total's name chooses what the chart shows; its number leads to the list.
 */
export function Totals({ of }: TotalsProps) {
  const hasErrors = of.totals.pageErrors + of.totalsBefore.pageErrors > 0;
  return (
    <>
      <ol className="totals">
        {mainTotals.map((name) => (
          <Total key={name} name={name} of={of} />
        ))}
      </ol>
      <ul className="totals totals-aside">
        {asideTotals
          .filter((name) => hasErrors || name !== 'pageErrors')
          .map((name) => (
            <Total key={name} name={name} of={of} />
          ))}
      </ul>
      <Series of={of} />
    </>
  );
}

function Total({ name, of }: TotalsProps & { readonly name: TotalName }) {
  const { totals, totalsBefore } = of;
  const { isCompared, metric } = useSelection();
  const [, change] = useAddress();
  const behind = useBehind();
  const { label, means, of: whole } = totalWords[name];
  return (
    <li className="total" data-chosen={name === metric}>
      <button
        type="button"
        className="total-name"
        aria-pressed={name === metric}
        title={means}
        onClick={() => change({ metric: name === 'visits' ? undefined : name })}
      >
        {label}
      </button>
      <span className="total-figure figure">
        <Count value={totals[name]} to={behind(name)} />
      </span>
      <span className="total-notes row fine quiet">
        {isCompared && <Change value={totals[name]} before={totalsBefore[name]} />}
        {whole && `${percent(totals[name], totals[whole], 0)} of ${wholeWords[whole]}`}
      </span>
    </li>
  );
}

function Series({ of: { period, before, series, seriesBefore, countedUntil } }: TotalsProps) {
  const { isCompared, metric } = useSelection();
  const timeZone = useTimeZone();
  const now = useNow();
  const isOneDay = period.from === period.to;
  const { label } = totalWords[metric];
  const points = (all: OverviewAnswer['series']) =>
    all.map(({ at, totals }) => ({ at, value: totals[metric] }));
  // The hours to come have no visits yet.
  const past = isOneDay ? series.filter(({ at }) => Date.parse(at) <= now) : series;
  // The series names days as such, or by the moment in which they begin.
  const dayText = (at: string) => day(at.length === 10 ? at : dayOf(Date.parse(at), timeZone));
  return (
    <div className="body">
      <p className="series-head row small">
        <strong>
          {label} by {isOneDay ? 'hour' : 'day'}
        </strong>
        <span className="series-key quiet">{daysText(period)}</span>
        {isCompared && <span className="series-key quiet">{daysText(before)}</span>}
        <span className="quiet fine">
          Counted <Ago at={countedUntil} />
        </span>
      </p>
      <LineChart
        series={points(past)}
        before={isCompared ? points(seriesBefore) : undefined}
        formatAt={(at) => (isOneDay ? timeOfDay(at, timeZone) : dayText(at))}
        label={label}
        isLastPartial={period.to === dayOf(now, timeZone)}
      />
    </div>
  );
}
