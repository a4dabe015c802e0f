import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { LeadRowAnswer } from '../../../contract/console/leads.ts';
import { capital } from '../../format.ts';
import { Ago, StateBadge } from '../../parts/values.tsx';
import { valueText } from './filters.ts';

/** A column of the list. Widths are CSS grid tracks. */
export type LeadColumn = {
  readonly id: string;
  readonly header: string;
  readonly width: string;
  readonly cell: (row: LeadRowAnswer) => ReactNode;
};

/** The columns, in the order in which they stand. */
export const leadColumns: readonly LeadColumn[] = [
  {
    id: 'received',
    header: 'Received',
    width: '6.75rem',
    cell: ({ receivedAt }) => <Ago at={receivedAt} />,
  },
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(5.5rem, 0.6fr)',
    cell: ({ name, isTest }) => (
      <>
        {name === '' ? <Nothing /> : name}
        {isTest && <span className="leads-mark">test</span>}
      </>
    ),
  },
  {
    id: 'state',
    header: 'Lead',
    width: 'minmax(6rem, 1fr)',
    cell: ({ state, holds }) => (
      <>
        <StateBadge state={state} />
        {state === 'held' && <span className="quiet">{holdsText(holds)}</span>}
      </>
    ),
  },
  {
    id: 'qualified',
    header: 'Qualified',
    width: 'minmax(11.25rem, 1fr)',
    cell: ({ qualified, reason }) =>
      qualified ? 'yes' : <span className="quiet">no{reason && `: ${reasonText(reason)}`}</span>,
  },
  {
    id: 'deliveries',
    header: 'Deliveries',
    width: 'minmax(12.5rem, 1.2fr)',
    cell: ({ deliveries }) =>
      deliveries.length === 0 ? <Nothing /> : <Deliveries deliveries={deliveries} />,
  },
  {
    id: 'survey',
    header: 'Survey',
    width: '5.5rem',
    cell: ({ survey }) => textOr(surveyText(survey)),
  },
  {
    id: 'source',
    header: 'Source',
    width: 'minmax(5rem, 0.6fr)',
    cell: ({ source, state }) =>
      source === '' && state !== 'erased' ? <span className="quiet">direct</span> : textOr(source),
  },
  { id: 'usState', header: 'US state', width: '4.5rem', cell: ({ usState }) => textOr(usState) },
];

/** Returns a survey's name without the part that all surveys share. */
export function surveyText(survey: string): string {
  return survey.replace(/^\/survey\//, '');
}

type Delivery = LeadRowAnswer['deliveries'][number];

/** Shows what became of the lead at its buyer; a press shows the other deliveries. */
export function Deliveries({ deliveries }: Pick<LeadRowAnswer, 'deliveries'>) {
  const [main] = deliveries.filter(({ isBuyer }) => isBuyer).toSorted(byOutcome);
  const rest = deliveries.filter((each) => each !== main);
  return (
    <span className="leads-deliveries">
      {main === undefined ? (
        <span className="quiet">no buyer</span>
      ) : (
        <>
          <StateBadge state={main.state} />
          <span className="quiet">{capital(main.title)}</span>
        </>
      )}
      {rest.length > 0 && (
        <DialogTrigger>
          <Button className="leads-more" aria-label={`${rest.length} more deliveries`}>
            +{rest.length}
          </Button>
          <Popover className="popover" offset={6}>
            <Dialog className="leads-tip" aria-label="Other deliveries">
              {rest.map(({ destination, title, state }) => (
                <span key={destination}>
                  <StateBadge state={state} />
                  <span className="quiet">{capital(title)}</span>
                </span>
              ))}
            </Dialog>
          </Popover>
        </DialogTrigger>
      )}
    </span>
  );
}

/** The states of deliveries to buyers: the one that says most about the lead comes first. */
const outcomes = [
  ...['delivered', 'dead', 'uncertain', 'retrying', 'sending', 'waiting', 'held'],
  ...['rejected', 'no_destination', 'suppressed'],
];
const byOutcome = (one: Delivery, other: Delivery) => rank(one) - rank(other);

function rank({ state }: Delivery): number {
  const place = outcomes.indexOf(state);
  return place === -1 ? outcomes.length : place;
}

function holdsText(holds: readonly string[]): string {
  return holds.map((hold) => valueText('hold', hold)).join(', ');
}

function reasonText(reason: string): string {
  return valueText('reason', reason);
}

function textOr(text: string): ReactNode {
  return text === '' ? <Nothing /> : text;
}

function Nothing() {
  return <span className="quiet">–</span>;
}
