import type { BuyerAnswer, BuyersAnswer } from '../../../../model/messages/console/buyers.ts';
import type { Period } from '../../../../model/messages/console/numbers.ts';
import { localDay } from '../../../../model/rules/buyer-hours.ts';
import type { BuyerTerms } from '../../../../model/rules/buyer-terms.ts';
import { priceOf } from '../../../../model/rules/choose-buyers.ts';
import { addressOf, saveFile, steady, useApi, useMay } from '../../api.ts';
import { count, counted, day, dollars, percent } from '../../format.ts';
import { Go, useUrlQuery } from '../../parts/address.tsx';
import { ActionButton } from '../../parts/dialog.tsx';
import type { Field } from '../../parts/fields.tsx';
import { Answer, Card } from '../../parts/page.tsx';
import { PeriodPicker, usePeriod } from '../../parts/period.tsx';
import { type Column, ListPanel, numberColumn } from '../../parts/table.tsx';
import { Ago, Badge, Code, Count, useNow } from '../../parts/values.tsx';
import { codeText } from '../../parts/words.ts';
import { TermsEditor } from './terms.tsx';
import './buyers.css';

/** Lists the buyers, or shows the terms of the one in the URL. */
export function BuyerList() {
  const [{ buyer }] = useUrlQuery();
  const { from, to } = usePeriod();
  const query = useApi<BuyersAnswer>('/api/buyers', { from, to }, steady);
  const isOperator = useMay('operator');
  if (buyer !== undefined) {
    return (
      <Answer query={query} rows={12}>
        {(data) => <TermsEditor key={buyer} destination={buyer} of={data} />}
      </Answer>
    );
  }
  const { others = [] } = query.data ?? {};
  return (
    <>
      <ListPanel
        title="Buyers"
        query={query}
        actions={
          <>
            <PeriodPicker />
            {isOperator && (
              <ActionButton
                icon="download"
                onAction={() => saveFile('/api/costs/export', { from, to })}
              >
                Export the ledger
              </ActionButton>
            )}
          </>
        }
        of={({ buyers }) => buyers}
        columns={columnsOf({ from, to })}
        rowKey={({ destination }) => destination}
        empty="No destination has a buyer’s terms yet, so each destination gets every lead that it takes, at no price. Give one its terms below."
      />
      {others.length > 0 && (
        <Card title="Destinations without terms">
          <div className="body stack">
            <p className="quiet">
              With terms, a destination gets only leads for which it is chosen. Without terms, it
              gets every lead that it takes, and no buyer gets these leads. An account of
              EXTRA_DESTINATIONS gets no lead without terms.
            </p>
            {others.map(({ destination, title }) => (
              <p key={destination}>
                {title} <Code>{destination}</Code>{' '}
                {isOperator && <Go to={termsAddress(destination)}>Set its terms</Go>}
              </p>
            ))}
          </div>
        </Card>
      )}
    </>
  );
}

const termsAddress = (destination: string) => addressOf('/buyers', { buyer: destination });

/** Returns a field for choosing a buyer, set up or not. */
export function useBuyerField(): Field {
  const { from, to } = usePeriod();
  const { buyers = [], others = [] } = useApi<BuyersAnswer>('/api/buyers', { from, to }).data ?? {};
  const names = [
    ...buyers.map(({ destination, terms }) => [destination, terms.name]),
    ...others.map(({ destination, title }) => [destination, title]),
  ];
  return { label: 'Buyer', kind: 'one', choices: Object.fromEntries(names) };
}

const columnsOf = (period: Period): readonly Column<BuyerAnswer>[] => [
  {
    header: 'Buyer',
    sort: ({ terms }) => terms.name,
    cell: (row) => (
      <>
        <Go to={termsAddress(row.destination)}>{row.terms.name}</Go>
        <p className="quiet fine">{row.title}</p>
        <p className="on-phone fine">
          {counted(row.delivered, 'lead')}, <Returned {...row} /> sent back
        </p>
      </>
    ),
  },
  { header: 'Now', cell: (row) => <Now {...row} /> },
  { header: 'Waiting', align: 'end', isMinor: true, cell: (row) => <Waiting {...row} /> },
  numberColumn('Took', ({ delivered }) => delivered, {
    isMinor: true,
    cell: ({ delivered, destination }) => {
      const filter = { destination, delivery: 'delivered', by: 'visit', ...period };
      return <Count value={delivered} to={addressOf('/leads', filter)} />;
    },
  }),
  numberColumn('Sent back', ({ returned, revenue }) => returned / Math.max(1, revenue + returned), {
    isMinor: true,
    cell: (row) => <Returned {...row} />,
  }),
  numberColumn('Revenue', ({ revenue }) => revenue, {
    cell: ({ revenue, destination: value }) => {
      const to = addressOf('/', { dimension: 'buyer', value, ...period });
      return <Count value={revenue} format={dollars} to={to} />;
    },
  }),
  { header: 'Price', align: 'end', isMinor: true, cell: ({ terms }) => <Price {...terms} /> },
  { header: 'Caps', isMinor: true, cell: ({ uses }) => (uses.length ? uses.map(capUse) : 'none') },
  {
    header: 'States',
    isMinor: true,
    cell: ({ terms: { states } }) =>
      states.length > 4 ? counted(states.length, 'state') : states.join(' ') || 'all',
  },
];

function Now({ isSetUp, obstacle, opensAt }: BuyerAnswer) {
  if (!isSetUp) return <Badge tone="bad">no settings</Badge>;
  if (obstacle === null) return <Badge tone="good">open</Badge>;
  return (
    <>
      <Badge tone={obstacle === 'buyer_off' ? 'plain' : 'warning'}>{codeText(obstacle)}</Badge>
      {opensAt !== null && (
        <p className="quiet fine">
          opens <Ago at={opensAt} />
        </p>
      )}
    </>
  );
}

/** Shows the prices of today, and those of the next day on which they change. */
function Price(terms: BuyerTerms) {
  const today = localDay(new Date(useNow()), terms.timeZone);
  const [next] = terms.prices.flatMap(({ from }) => (from > today ? from : [])).toSorted();
  return (
    <>
      {pricesText(terms, today)}
      {next && <p className="quiet fine">{`from ${day(next)}: ${pricesText(terms, next)}`}</p>}
    </>
  );
}

/** Writes the lowest and the highest price of a day. */
function pricesText(terms: BuyerTerms, day: string): string {
  const prices = terms.prices.flatMap(({ state = '', survey = '', owedAt }) => {
    return priceOf(terms, { state, survey, day, owedAt }) ?? [];
  });
  const ends = new Set([Math.min(...prices), Math.max(...prices)]);
  return prices.length === 0 ? 'none' : [...ends].map(dollars).join(' – ');
}

/** Shows how much of a cap is used, and when its period ends. */
function capUse({ cap, leads, cents, until }: BuyerAnswer['uses'][number]) {
  const { per, money = 0 } = cap;
  const [used, most, text] =
    cap.leads === undefined ? [cents / 100, money, dollars] : [leads, cap.leads, count];
  return (
    <div className="fine" key={JSON.stringify(cap)}>
      {`${text(used)} of ${text(most)} ${per === 'total' ? 'in all' : `a ${per}`}`}
      {until && (
        <span className="quiet">
          {' '}
          · resets <Ago at={until} />
        </span>
      )}
      <progress value={used} max={most} aria-hidden="true" />
    </div>
  );
}

function Waiting({ destination, waiting }: BuyerAnswer) {
  if (waiting.length === 0) return count(0);
  const filter = { destination, delivery: 'waiting', tests: 'with' };
  return waiting.map(({ reason, leads }) => (
    <div key={reason}>
      <Count value={leads} to={addressOf('/leads', { ...filter, leftOut: reason })} />
      <p className="quiet fine">{codeText(reason)}</p>
    </div>
  ));
}

/** Shows the share of the dollars that a buyer took back, beside the share that its terms allow. */
function Returned({ terms, returned, revenue }: BuyerAnswer) {
  const { mostPercent } = terms.returns;
  const share = `${percent(returned, revenue + returned)} of ${percent(mostPercent, 100, 0)}`;
  const isWithin = 100 * returned <= mostPercent * (revenue + returned);
  return isWithin ? share : <Badge tone="warning">{share}</Badge>;
}
