import { type ReactNode, useState } from 'react';
import type { BuyerAnswer, BuyersAnswer } from '../../../../model/messages/console/buyers.ts';
import { localDay } from '../../../../model/rules/buyer-hours.ts';
import type { BuyerTerms } from '../../../../model/rules/buyer-terms.ts';
import { priceOf } from '../../../../model/rules/choose-buyers.ts';
import { addressOf, steady, useApi, useMay } from '../../api.ts';
import { count, counted, dollars, percent } from '../../format.ts';
import { Go, useUrlQuery } from '../../parts/address.tsx';
import { Select } from '../../parts/controls.tsx';
import { Answer, Card, Panel } from '../../parts/page.tsx';
import { PeriodPicker, usePeriod } from '../../parts/period.tsx';
import { type Column, DataTable, numberColumn } from '../../parts/table.tsx';
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
      <Panel
        title="Buyers"
        query={query}
        actions={<PeriodPicker />}
        isEmpty={({ buyers }) => buyers.length === 0}
        empty="No destination has a buyer’s terms yet, so each destination gets every lead that it takes, at no price. Give one its terms below."
      >
        {({ buyers }) => (
          <DataTable
            label="Buyers"
            columns={columns}
            rows={buyers}
            rowKey={({ destination }) => destination}
          />
        )}
      </Panel>
      {others.length > 0 && (
        <Card title="Destinations without terms">
          <p className="body quiet">
            With terms, a destination gets only leads for which it is chosen. Without, it gets every
            lead that it takes; a further account of EXTRA_DESTINATIONS gets none.
          </p>
          <ul className="lines">
            {others.map(({ destination, title }) => (
              <li key={destination}>
                <div className="row spread">
                  <span>
                    {title} <Code>{destination}</Code>
                  </span>
                  {mayChange && <Go to={termsAddress(destination)}>Set its terms</Go>}
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

export const termsAddress = (destination: string) => addressOf('/buyers', { buyer: destination });

/** Returns the destination of the chosen buyer, and a select box to choose another. */
export function useBuyerSelect(): readonly [string, ReactNode] {
  const { from, to } = usePeriod();
  const { buyers = [], others = [] } = useApi<BuyersAnswer>('/api/buyers', { from, to }).data ?? {};
  const [chosen, setChosen] = useState('');
  const items = [
    ...buyers.map(({ destination: id, terms: { name } }) => ({ id, label: name })),
    ...others.map(({ destination: id, title }) => ({ id, label: title })),
  ];
  const value = chosen || (items[0]?.id ?? '');
  const select = (
    <Select label="Buyer" isLabelShown items={items} value={value} onChange={setChosen} />
  );
  return [value, select];
}

const columns: readonly Column<BuyerAnswer>[] = [
  {
    header: 'Buyer',
    sort: ({ terms }) => terms.name,
    cell: (row) => (
      <>
        <Go to={termsAddress(row.destination)}>{row.terms.name}</Go>
        <p className="quiet fine">{row.title}</p>
        <p className="on-phone fine">
          <Now {...row} />
        </p>
      </>
    ),
  },
  { header: 'Now', isMinor: true, cell: (row) => <Now {...row} /> },
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
    cell: (row) => <Took {...row} />,
  }),
  numberColumn('Sent back', ({ returned, revenue }) => returned / Math.max(1, revenue + returned), {
    cell: (row) => <Returned {...row} />,
  }),
  numberColumn('Revenue', ({ revenue }) => revenue, { cell: (row) => <Revenue {...row} /> }),
];

function Took({ delivered, destination }: BuyerAnswer) {
  const { from, to } = usePeriod();
  const filter = { destination, delivery: 'delivered', by: 'visit', from, to };
  return <Count value={delivered} to={addressOf('/leads', filter)} />;
}

function Revenue({ revenue, destination }: BuyerAnswer) {
  const { from, to } = usePeriod();
  const of = { dimension: 'buyer', value: destination, from, to };
  return <Count value={revenue} format={dollars} to={addressOf('/', of)} />;
}

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
  return waiting.map(({ reason, leads }) => (
    <p key={reason}>
      <Count
        value={leads}
        to={addressOf('/leads', {
          destination,
          delivery: 'waiting',
          leftOut: reason,
          tests: 'with',
        })}
      />
      <span className="quiet fine below">{codeText(reason)}</span>
    </p>
  ));
}

/** Shows the share of the dollars that a buyer took back. */
function Returned({ terms, returned, revenue }: BuyerAnswer) {
  const share = percent(returned, revenue + returned);
  if (100 * returned <= terms.returns.mostPercent * (revenue + returned)) return share;
  return <Badge tone="warning">{share}</Badge>;
}
