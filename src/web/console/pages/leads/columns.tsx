import type { ReactNode } from 'react';
import type { LeadRowAnswer } from '../../../../model/messages/console/leads.ts';
import { capital, leadName, NONE, toggled } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import type { Column } from '../../parts/table.tsx';
import { Ago, StateBadge } from '../../parts/values.tsx';
import { codeText, valueText } from '../../parts/words.ts';

/** The ids of the selected leads. `all` means every lead that matches the filter. */
export type Selection = ReadonlySet<string> | 'all';

/** The columns of the list of leads. */
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
          <span className="clip">
            <Ago at={receivedAt} />
            {[surveyText(survey), source, usState].filter(Boolean).map((text) => ` · ${text}`)}
          </span>
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
        {state === 'held' && <span className="quiet">{holds.map(codeText).join(', ')}</span>}
      </>
    ),
  },
  {
    header: 'Qualified',
    isMinor: true,
    fold: 'wrap',
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

/** Returns the column of checkboxes. */
export function boxColumn(
  rows: readonly LeadRowAnswer[],
  selection: Selection,
  onSelect: (selection: Selection) => void,
): Column<LeadRowAnswer> {
  const isAll = selection === 'all';
  const chosen = new Set(isAll ? [] : selection);
  const ids = rows.map(({ id }) => id);
  const isWhole = isAll || (ids.length > 0 && ids.every((id) => chosen.has(id)));
  const others = [...chosen].filter((id) => !ids.includes(id));
  return {
    header: 'Selected',
    head: (
      <input
        type="checkbox"
        aria-label="Select the leads of this page"
        checked={isWhole}
        onChange={() => onSelect(new Set(isWhole ? others : [...others, ...ids]))}
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

function surveyText(survey: string): string {
  return survey.replace(/^\/survey\//, '');
}

function Deliveries({ deliveries }: Pick<LeadRowAnswer, 'deliveries'>) {
  const toBuyers = deliveries.filter(({ isBuyer }) => isBuyer);
  const main = toBuyers.find(({ state }) => state === 'delivered') ?? toBuyers[0];
  const rest = deliveries.filter((each) => each !== main);
  if (deliveries.length === 0) return quiet(NONE);
  return (
    <>
      {main ? <StateBadge state={main.state} /> : quiet('no buyer')}{' '}
      {main && <span className="at-desk quiet">{capital(main.title)}</span>}{' '}
      {rest.length > 0 && (
        <span
          className="mark"
          title={rest.map(({ title, state }) => `${capital(title)}: ${codeText(state)}`).join('\n')}
        >
          +{rest.length}
          <span className="visually-hidden"> more deliveries</span>
        </span>
      )}
    </>
  );
}
