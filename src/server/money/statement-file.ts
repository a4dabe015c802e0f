/** Reads a buyer's statement from CSV. */
import type { BadLine } from '../../model/messages/console/people-requests.ts';
import { usage } from '../platform/operator-error.ts';
import { centsOf, dayIn, readTable } from './csv.ts';

const HEADINGS = {
  lead: ['lead id', 'leadid', 'our lead id', 'id', 'lead', 'reference'],
  their_id: ['external id', 'externalid', 'external lead id', 'buyer lead id', 'transaction id'],
  price: ['price', 'payout', 'amount', 'lead price', 'revenue', 'cost'],
  state: ['status', 'lead status', 'disposition', 'state'],
  date: ['date', 'day', 'sold at', 'created at', 'created', 'received at', 'timestamp'],
};

const WORDS: Readonly<Record<NonNullable<StatementLine['state']>, string>> = {
  sold: 'accepted approved billable billed delivered paid sold success valid',
  returned: 'chargeback credit credited refund refunded return returned',
  rejected: 'declined denied duplicate error failed invalid refused rejected unsold',
};
const states = Object.keys(WORDS) as (keyof typeof WORDS)[];
const stateOf = (word: string) =>
  states.find((state) => WORDS[state].split(' ').includes(word.toLowerCase()));

/** An id has a digit and neither a space nor an @, so a name, an address or "Total" is none. */
const ID = /^(?=.*\d)[\w.:-]{1,100}$/;

/** A line about one lead. */
export type StatementLine = {
  /** The ids of the lead, ours or the buyer's. */
  readonly ids: readonly string[];
  /** `YYYY-MM-DD`. Undefined: the line has none. */
  readonly day: string | undefined;
  /** Undefined: the statement has no prices. NaN: this price cannot be read. */
  readonly cents: number | undefined;
  /** Undefined: the line does not say. */
  readonly state: 'sold' | 'returned' | 'rejected' | undefined;
};

/** Reads a statement. @throws OperatorError `usage` if it has no column of ids, or is too long */
export function readStatementFile(csv: string) {
  const words = new Set<string>();
  const badPrices: BadLine[] = [];
  const { columns, lines, refused } = readTable(
    csv,
    HEADINGS,
    (cells, line, { price }): StatementLine => {
      const ids = [cells.lead, cells.their_id].filter((id) => ID.test(id));
      if (ids.length === 0) throw usage('It has no id of a lead.');
      words.add(cells.state);
      const cents = price === undefined ? undefined : (centsOf(cells.price || '0') ?? NaN);
      if (Number.isNaN(cents)) {
        badPrices.push({ line, reason: 'Its price is no amount in US dollars, such as 1,234.50.' });
      }
      return {
        ids,
        day: dayIn(cells.date),
        cents,
        state: (cents ?? 0) < 0 ? 'returned' : stateOf(cells.state),
      };
    },
  );
  if (!columns.lead && !columns.their_id) {
    throw usage(`No column has the ids of leads. Name it "${HEADINGS.lead.join('", "')}".`);
  }
  return {
    columns,
    lines,
    refused: [...refused, ...badPrices].sort((a, b) => a.line - b.line),
    unknownWords: [...words].filter((word) => word !== '' && !stateOf(word)).slice(0, 10),
  };
}
