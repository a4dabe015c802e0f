import {
  hasMoney,
  type MoneyName,
  moneyNames,
  type NowAnswer,
  type OverviewAnswer,
  type TotalName,
  totalNames,
} from '../../../../model/messages/console/numbers.ts';
import { steady, useApi } from '../../api.ts';
import { day, dayOf, dollars, dollarsPer, percent, timeOfDay } from '../../format.ts';
import { Go, useUrlQuery } from '../../parts/address.tsx';
import { LineChart } from '../../parts/charts.tsx';
import { Chip } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Page, Panel } from '../../parts/page.tsx';
import { daysText } from '../../parts/period.tsx';
import { Ago, Badge, Change, Count, useNow, useTimeZone } from '../../parts/values.tsx';
import { keyNames, valueText } from '../../parts/words.ts';
import { Breakdown } from './breakdown.tsx';
import { moneyWords, totalWords, useBehind, useSelection } from './selection.ts';
import './overview.css';

/** Shows the present problems, the totals, and a breakdown of the totals. */
export default function OverviewPage() {
  const { from, to, survey, segment } = useSelection();
  const overview = useApi<OverviewAnswer>(
    '/api/overview',
    { from, to, survey, ...segment },
    steady,
  );
  const isFiltered = survey !== '' || segment !== undefined;
  const isEmpty = overview.data?.totals.visits === 0 && overview.data.totalsBefore.visits === 0;
  return (
    <Page title="Overview" summary={[]} actions={isFiltered && <Filters />}>
      <NeedsAttention />
      {isEmpty && !isFiltered ? (
        <FirstDay />
      ) : (
        <>
          <Panel query={overview} rows={13}>
            {(data) => (
              <>
                <MoneyTotals of={data} />
                <ol className="totals">
                  {totalNames.map((name) => (
                    <Total key={name} name={name} of={data} />
                  ))}
                </ol>
                <Series of={data} />
              </>
            )}
          </Panel>
          {!segment && <Breakdown />}
        </>
      )}
    </Page>
  );
}

function Filters() {
  const { survey, segment } = useSelection();
  const [, change] = useUrlQuery();
  return (
    <>
      {survey !== '' && (
        <Chip name="Survey" onRemove={() => change({ survey: undefined })}>
          {survey}
        </Chip>
      )}
      {segment && (
        <Chip
          name={keyNames[segment.dimension]}
          onRemove={() => change({ dimension: undefined, value: undefined })}
        >
          {valueText(segment.dimension, segment.value)}
        </Chip>
      )}
    </>
  );
}

function NeedsAttention() {
  const now = useApi<NowAnswer>('/api/now');
  return (
    <Panel query={now} className="attention" rows={1}>
      {({ attention }) =>
        attention.length === 0 ? (
          <p className="matter quiet">
            <Icon name="check" />
            Nothing needs you: no delivery is late, and no lead waits for a decision.
          </p>
        ) : (
          <ul aria-label="Needs attention">
            {attention.map(({ isUrgent, text, to }) => (
              <li key={text} data-row="" tabIndex={-1} data-urgent={isUrgent}>
                <Go to={to} className="matter">
                  <Icon name={isUrgent ? 'alert' : 'pause'} />
                  <span>
                    {isUrgent && <span className="visually-hidden">Urgent: </span>}
                    {text}
                  </span>
                  <Icon name="right" />
                </Go>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}

function FirstDay() {
  return (
    <Card title="No visits yet in these days">
      <p className="body" role="status">
        <Go to="/surveys">Open a survey as a visitor would</Go>: its visit appears here within
        seconds. A test link marks the lead, and tests never count. To see dollars, enter{' '}
        <Go to="/buyers">what buyers pay</Go> and <Go to="/buyers?tab=costs">what clicks cost</Go>.
      </p>
    </Card>
  );
}

const words = { ...totalWords, ...moneyWords };

type TotalsProps = { readonly of: OverviewAnswer };

function MoneyTotals({ of }: TotalsProps) {
  const behind = useBehind();
  const { accepted, revenue, cost, margin, returned } = of.totals;
  if (!hasMoney(of.totals) && !hasMoney(of.totalsBefore)) {
    return (
      <p className="body small quiet">
        No money in these days. To see it here, enter <Go to="/buyers">what buyers pay</Go> and{' '}
        <Go to="/buyers?tab=costs">what clicks cost</Go>.
      </p>
    );
  }
  const aLead = (amount: number) => `${dollarsPer(amount, accepted)} a lead`;
  const tiles: Readonly<Record<MoneyName, readonly [note: string, to?: string | undefined]>> = {
    revenue: [aLead(revenue), behind('delivered')],
    cost: [aLead(cost), '/buyers?tab=costs'],
    margin: [`${aLead(margin)}, ${percent(margin, revenue, 0)} of revenue`],
    returned: [`${percent(returned, revenue + returned)} of sales so far`, '/buyers?tab=returns'],
  };
  return (
    <ol className="totals money" aria-label="Money">
      {moneyNames.map((name) => {
        const [note, to] = tiles[name];
        return <Tile key={name} name={name} of={of} note={note} to={to} format={dollars} />;
      })}
      <li className="fine quiet">
        Each dollar counts on the day of its visit. Later sales and returns still change these days.
      </li>
    </ol>
  );
}

function Total({ name, of }: TotalsProps & { readonly name: TotalName }) {
  const behind = useBehind();
  const { of: whole } = totalWords[name];
  const share = whole && percent(of.totals[name], of.totals[whole], 0);
  const note = whole && `${share} of ${totalWords[whole].label.toLowerCase()}`;
  return <Tile name={name} of={of} to={behind(name)} note={note} />;
}

type TileProps = TotalsProps & {
  readonly name: TotalName | MoneyName;
  readonly note: string | undefined;
  readonly to?: string | undefined;
  readonly format?: (value: number) => string;
};

/** Shows a figure. Its name chooses what the chart shows. */
function Tile({ name, of: { totals, totalsBefore }, note, to, format }: TileProps) {
  const { metric } = useSelection();
  const [, change] = useUrlQuery();
  const { label, means } = words[name];
  return (
    <li className="total" data-chosen={name === metric}>
      <button
        type="button"
        className="total-name small quiet"
        aria-pressed={name === metric}
        title={means}
        onClick={() => change({ metric: name === 'visits' ? undefined : name })}
      >
        {label}
      </button>
      <span className="total-figure figure">
        <Count value={totals[name]} to={to} format={format} />
      </span>
      <span className="fine quiet">
        <Change value={totals[name]} before={totalsBefore[name]} format={format} />
        {note && ` · ${note}`}
      </span>
    </li>
  );
}

function Series({ of: { period, before, series, seriesBefore, countedUntil } }: TotalsProps) {
  const { metric } = useSelection();
  const timeZone = useTimeZone();
  const now = useNow();
  const isOneDay = period.from === period.to;
  const { label } = words[metric];
  const points = (all: OverviewAnswer['series']) =>
    all.map(({ at, totals }) => ({ at, value: totals[metric] }));
  const past = isOneDay ? series.filter(({ at }) => Date.parse(at) <= now) : series;
  const dayText = (at: string) => day(at.length === 10 ? at : dayOf(Date.parse(at), timeZone));
  return (
    <div className="body stack">
      <p className="row small">
        <strong>
          {label} by {isOneDay ? 'hour' : 'day'}
        </strong>
        <Badge tone="accent">{daysText(period)}</Badge>
        <Badge tone="plain">{daysText(before)}</Badge>
        <span className="quiet fine">
          Counted <Ago at={countedUntil} />
        </span>
      </p>
      <LineChart
        series={points(past)}
        before={points(seriesBefore)}
        formatAt={(at) => (isOneDay ? timeOfDay(at, timeZone) : dayText(at))}
        label={label}
        isMoney={metric in moneyWords}
        isLastPartial={period.to === dayOf(now, timeZone)}
      />
    </div>
  );
}
