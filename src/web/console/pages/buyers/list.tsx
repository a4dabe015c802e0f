import type { BuyerAnswer, BuyersAnswer } from '../../../../model/messages/console/buyers.ts';
import type { Period } from '../../../../model/messages/console/numbers.ts';
import { localDay } from '../../../../model/rules/buyer-hours.ts';
import type { BuyerTerms } from '../../../../model/rules/buyer-terms.ts';
import { priceOf } from '../../../../model/rules/choose-buyers.ts';
import { addressOf, steady, useApi, useMay } from '../../api.ts';
import { count, counted, dollars, percent } from '../../format.ts';
import { Go, useUrlQuery } from '../../parts/address.tsx';
import type { Field } from '../../parts/fields.tsx';
import { Answer } from '../../parts/page.tsx';
import { PeriodPicker, usePeriod } from '../../parts/period.tsx';
import { actionsColumn, type Column, ListPanel, numberColumn } from '../../parts/table.tsx';
import { Ago, Badge, Code, Count, useNow } from '../../parts/values.tsx';
import { codeText } from '../../parts/words.ts';
import { Caps } from './caps.tsx';
import { TermsEditor } from './terms.tsx';
import './buyers.css';

/** Lists the buyers, or shows the terms of the one in the URL. */
export function BuyerList() {
  const [{ buyer }] = useUrlQuery();
  const { from, to } = usePeriod();
  const query = useApi<BuyersAnswer>('/api/buyers', { from, to }, steady);
  const mayChange = useMay('operator');
  if (buyer !== undefined) {
    return (
      <Answer query={query} rows={12} isEmpty={() => false}>
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
        actions={<PeriodPicker />}
        of={({ buyers }) => buyers}
        columns={columnsOf({ from, to })}
        rowKey={keyOf}
        empty="No destination has a buyer’s terms yet, so each destination gets every lead that it takes, at no price. Give one its terms below."
      />
      {others.length > 0 && (
        <ListPanel
          title="Destinations without terms"
          note="With terms, a destination gets only leads for which it is chosen. Without, it gets every lead that it takes, alone; a further account of EXTRA_DESTINATIONS gets none."
          query={query}
          of={(answer) => answer.others}
          columns={[
            { header: 'Destination', cell: ({ title }) => title },
            { header: 'Name', cell: ({ destination }) => <Code>{destination}</Code> },
            actionsColumn<BuyersAnswer['others'][number]>(
              (one) => mayChange && <Go to={termsAddress(one.destination)}>Set its terms</Go>,
            ),
          ]}
          rowKey={keyOf}
        />
      )}
    </>
  );
}

const keyOf = ({ destination }: { readonly destination: string }) => destination;
export const termsAddress = (destination: string) => addressOf('/buyers', { buyer: destination });

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
    cell: ({ destination, terms, title }) => (
      <>
        <Go to={termsAddress(destination)}>{terms.name}</Go>
        <p className="quiet fine">{title}</p>
      </>
    ),
  },
  { header: 'Now', cell: (row) => <Now {...row} /> },
  {
    header: 'States',
    isMinor: true,
    cell: ({ terms: { states } }) => {
      if (states.length === 0) return 'all';
      const shown = states.length > 4 ? counted(states.length, 'state') : states.join(' ');
      return <span title={states.join(' ')}>{shown}</span>;
    },
  },
  { header: 'Price now', align: 'end', isMinor: true, cell: ({ terms }) => <Price {...terms} /> },
  { header: 'Caps', isMinor: true, cell: (row) => <Caps {...row} /> },
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
];

function Now({ isSetUp, obstacle, opensAt }: BuyerAnswer) {
  if (!isSetUp) return <Badge tone="bad">no settings</Badge>;
  if (obstacle === null) return <Badge tone="good">open</Badge>;
  return (
    <>
      <Badge tone={obstacle === 'buyer_off' ? 'plain' : 'warning'}>{codeText(obstacle)}</Badge>
      {opensAt !== null && (
        <span className="quiet fine below">
          opens <Ago at={opensAt} />
        </span>
      )}
    </>
  );
}

/** Shows the lowest and the highest price of today. */
function Price(terms: BuyerTerms) {
  const day = localDay(new Date(useNow()), terms.timeZone);
  const prices = terms.prices.flatMap(({ state = '', survey = '', owedAt }) => {
    return priceOf(terms, { state, survey, day, owedAt }) ?? [];
  });
  if (prices.length === 0) return <span className="quiet">none</span>;
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  return least === most ? dollars(least) : `${dollars(least)} – ${dollars(most)}`;
}

function Waiting({ destination, waiting }: BuyerAnswer) {
  if (waiting.length === 0) return count(0);
  const filter = { destination, delivery: 'waiting', tests: 'with' };
  return waiting.map(({ reason, leads }) => (
    <p key={reason}>
      <Count value={leads} to={addressOf('/leads', { ...filter, leftOut: reason })} />
      <span className="quiet fine below">{codeText(reason)}</span>
    </p>
  ));
}

/** Shows the share of the dollars that a buyer took back. */
function Returned({ terms, returned, revenue }: BuyerAnswer) {
  const { mostPercent } = terms.returns;
  const share = percent(returned, revenue + returned);
  const isWithin = 100 * returned <= mostPercent * (revenue + returned);
  return (
    <>
      {isWithin ? share : <Badge tone="warning">{share}</Badge>}
      <span className="quiet fine below">of {percent(mostPercent, 100, 0)}</span>
    </>
  );
}
