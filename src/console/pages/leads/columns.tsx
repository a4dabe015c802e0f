import type { ReactNode } from 'react';
import type { LeadRowAnswer } from '../../../contract/console/leads.ts';
import { Ago, Code, StateBadge } from '../../parts/values.tsx';
import { valueText } from './filters.ts';

/** A column of the list. Widths are CSS grid tracks. */
export type LeadColumn = {
  readonly id: string;
  readonly header: string;
  readonly width: string;
  readonly cell: (row: LeadRowAnswer) => ReactNode;
};

/** All columns, in the order in which they stand. */
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
  { id: 'phone', header: 'Phone', width: '8.5rem', cell: ({ phone }) => textOr(phone) },
  { id: 'email', header: 'E-mail', width: 'minmax(7rem, 1fr)', cell: ({ email }) => textOr(email) },
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
    width: 'minmax(6rem, 1fr)',
    cell: ({ qualified, reason }) =>
      qualified ? 'yes' : <span className="quiet">no{reason && `, ${reasonText(reason)}`}</span>,
  },
  {
    id: 'deliveries',
    header: 'Deliveries',
    width: 'minmax(14.5rem, 2fr)',
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
    width: 'minmax(5rem, 1fr)',
    cell: ({ source }) => textOr(source),
  },
  {
    id: 'affiliate',
    header: 'Affiliate',
    width: '5.5rem',
    cell: ({ affiliate }) => textOr(affiliate),
  },
  { id: 'usState', header: 'US state', width: '4.5rem', cell: ({ usState }) => textOr(usState) },
  { id: 'language', header: 'Language', width: '5rem', cell: ({ language }) => textOr(language) },
  {
    id: 'variants',
    header: 'Variants',
    width: 'minmax(7rem, 1fr)',
    cell: ({ variants }) => textOr(variants),
  },
  {
    id: 'revision',
    header: 'Revision',
    width: '5rem',
    cell: ({ revision }) => <span className="count">{revision}</span>,
  },
  { id: 'id', header: 'Lead id', width: '7rem', cell: ({ id }) => <Code>{id.slice(0, 13)}</Code> },
];

/** The columns that are shown until others are chosen. */
export const defaultColumns: readonly string[] = [
  'received',
  'name',
  'phone',
  'state',
  'qualified',
  'deliveries',
  'survey',
  'source',
  'usState',
];

/** Returns the columns of these ids; the default ones if none is known. */
export function columnsOf(ids: readonly string[]): readonly LeadColumn[] {
  const chosen = leadColumns.filter(({ id }) => ids.includes(id));
  return chosen.length > 0 ? chosen : leadColumns.filter(({ id }) => defaultColumns.includes(id));
}

/** Returns a survey's name without the part that all surveys share. */
export function surveyText(survey: string): string {
  return survey.replace(/^\/survey\//, '');
}

/** Shows the deliveries of a lead. Those that a person should look at come first. */
export function Deliveries({ deliveries }: Pick<LeadRowAnswer, 'deliveries'>) {
  return (
    <span className="leads-deliveries">
      {[...Map.groupBy(deliveries.toSorted(byUrgency), ({ state }) => state)].map(([state, of]) => (
        <span
          key={state}
          title={of.map(({ destination }) => `${destination}: ${state}`).join(', ')}
        >
          <StateBadge state={state} />
          <span className="quiet">{of.map(({ destination }) => destination).join(', ')}</span>
        </span>
      ))}
    </span>
  );
}

const urgency = ['dead', 'uncertain', 'retrying', 'rejected', 'sending', 'waiting'];
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
