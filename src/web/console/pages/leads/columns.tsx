import type { ReactNode } from 'react';
import type { LeadRowAnswer } from '../../../../model/messages/console/leads.ts';
import { capital, leadName, NONE, toggled } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import type { Column } from '../../parts/table.tsx';
import { Ago, StateBadge } from '../../parts/values.tsx';
import type { Selection } from './actions.tsx';
import { valueText } from './filters.ts';

/** The columns of the list. On a phone what the others say stands below the name. */
export const leadColumns: readonly Column<LeadRowAnswer>[] = [
  { header: 'Received', isMinor: true, cell: ({ receivedAt }) => <Ago at={receivedAt} /> },
  {
    header: 'Name',
    cell: ({ id, name, isTest, receivedAt, survey, source, usState }) => (
      <>
        <Go to={`/leads/${id}`} className="count-link">
          {name || NONE}
        </Go>{' '}
        {isTest && <span className="mark">test</span>}
        <p className="on-phone quiet fine">
          <Ago at={receivedAt} />
          {[surveyText(survey), source, usState].filter(Boolean).map((text) => ` · ${text}`)}
        </p>
      </>
    ),
  },
  {
    header: 'Lead',
    isMinor: true,
    cell: ({ state, holds }) => (
      <>
        <StateBadge state={state} />{' '}
        {state === 'held' && (
          <span className="quiet">{holds.map((hold) => valueText('hold', hold)).join(', ')}</span>
        )}
      </>
    ),
  },
  {
    header: 'Qualified',
    isMinor: true,
    cell: ({ qualified, reason }) =>
      qualified ? 'yes' : quiet(`no${reason && `: ${valueText('reason', reason)}`}`),
  },
  {
    header: 'Deliveries',
    cell: ({ state, deliveries }) => (
      <>
        {state !== 'accepted' && (
          <span className="on-phone">
            <StateBadge state={state} />
          </span>
        )}
        <Deliveries deliveries={deliveries} />
      </>
    ),
  },
  { header: 'Survey', isMinor: true, cell: ({ survey }) => surveyText(survey) || NONE },
  {
    header: 'Source',
    isMinor: true,
    cell: ({ source, state }) => source || (state === 'erased' ? NONE : quiet('direct')),
  },
  { header: 'US state', isMinor: true, cell: ({ usState }) => usState || NONE },
];

/** Returns the column with the boxes that select leads. `ids` are the loaded ones. */
export function boxColumn(
  ids: readonly string[],
  selection: Selection,
  onSelect: (selection: Selection) => void,
): Column<LeadRowAnswer> {
  const isAll = selection === 'all';
  const chosen = new Set(isAll ? [] : selection);
  const isWhole = isAll || (ids.length > 0 && chosen.size >= ids.length);
  return {
    header: 'Selected',
    head: (
      <input
        type="checkbox"
        aria-label="Select the loaded leads"
        checked={isWhole}
        onChange={() => onSelect(new Set(isWhole ? [] : ids))}
      />
    ),
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={`Select ${name || 'the lead'}, ${leadName(id)}`}
        checked={isAll || chosen.has(id)}
        onChange={() => onSelect(toggled(chosen, id))}
      />
    ),
  };
}

function quiet(text: ReactNode) {
  return <span className="quiet">{text}</span>;
}

/** Returns a survey's name without the part that all surveys share. */
function surveyText(survey: string): string {
  return survey.replace(/^\/survey\//, '');
}

/** Shows what became of the lead at its buyer, and how many other deliveries it has. */
function Deliveries({ deliveries }: Pick<LeadRowAnswer, 'deliveries'>) {
  const [main] = deliveries
    .filter(({ isBuyer }) => isBuyer)
    .toSorted((one, other) => rank(one) - rank(other));
  const rest = deliveries.filter((each) => each !== main);
  if (deliveries.length === 0) return quiet(NONE);
  return (
    <>
      {main ? (
        <>
          <StateBadge state={main.state} />{' '}
          <span className="at-desk leads-buyer clip quiet">{capital(main.title)}</span>
        </>
      ) : (
        quiet('no buyer')
      )}{' '}
      {rest.length > 0 && (
        <span
          className="mark"
          title={rest.map(({ title, state }) => `${capital(title)}: ${state}`).join('\n')}
        >
          +{rest.length}
          <span className="visually-hidden"> more deliveries</span>
        </span>
      )}
    </>
  );
}

/** The states of deliveries to buyers: the one that says most about the lead comes first. */
const outcomes = [
  ...['delivered', 'dead', 'uncertain', 'retrying', 'sending', 'waiting', 'held'],
  ...['rejected', 'no_destination', 'suppressed'],
];

function rank({ state }: LeadRowAnswer['deliveries'][number]): number {
  const place = outcomes.indexOf(state);
  return place === -1 ? outcomes.length : place;
}
