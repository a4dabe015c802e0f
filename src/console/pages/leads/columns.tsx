import type { ReactNode } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { LeadRowAnswer } from '../../../contract/console/leads.ts';
import { Ago, StateBadge } from '../../parts/values.tsx';
import { valueText } from './filters.ts';

/** A column of the list. Widths are CSS grid tracks. */
export type LeadColumn = {
  readonly id: string;
  readonly header: string;
  readonly width: string;
  /** `isInLink`: within a link nothing else can be pressed. */
  readonly cell: (row: LeadRowAnswer, isInLink: boolean) => ReactNode;
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
    cell: ({ deliveries }, isInLink) =>
      deliveries.length === 0 ? (
        <Nothing />
      ) : (
        <Deliveries deliveries={deliveries} isInLink={isInLink} />
      ),
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

type DeliveriesProps = Pick<LeadRowAnswer, 'deliveries'> & { readonly isInLink: boolean };

/** Shows the delivery that a person should look at first; the others show on hover and focus. */
export function Deliveries({ deliveries, isInLink }: DeliveriesProps) {
  const [first, ...rest] = deliveries.toSorted(byUrgency);
  if (first === undefined) return null;
  const more = `+${rest.length}`;
  const restText = rest.map(({ destination, state }) => `${destination} ${stateText(state)}`);
  return (
    <span className="leads-deliveries">
      <StateBadge state={first.state} />
      <span className="quiet">{first.destination}</span>
      {rest.length > 0 &&
        (isInLink ? (
          <span className="leads-more" title={restText.join(', ')}>
            {more}
          </span>
        ) : (
          <TooltipTrigger delay={200} closeDelay={0}>
            <Button
              className="leads-more"
              aria-label={`${rest.length} more: ${restText.join(', ')}`}
            >
              {more}
            </Button>
            <Tooltip className="leads-tip" offset={6}>
              {rest.map(({ destination, state }) => (
                <span key={destination}>
                  <StateBadge state={state} />
                  <span className="quiet">{destination}</span>
                </span>
              ))}
            </Tooltip>
          </TooltipTrigger>
        ))}
    </span>
  );
}

const urgency = [
  ...['dead', 'uncertain', 'retrying', 'rejected', 'held', 'sending', 'waiting'],
  ...['suppressed', 'delivered'],
];
const stateText = (state: string) => state.replaceAll('_', ' ');
type Delivery = LeadRowAnswer['deliveries'][number];
const byUrgency = (one: Delivery, other: Delivery) => rank(one) - rank(other);

function rank({ state }: Delivery): number {
  const place = urgency.indexOf(state);
  return place === -1 ? urgency.length : place;
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
