/** Finds a lead by its id or the beginning of it. */
import type { Queryable } from '../platform/database/database.ts';
import type { LeadRow } from '../platform/database/schema.ts';
import { notFound, usage } from '../platform/operator-error.ts';

/**
 * Finds the one lead whose id begins with `prefix`; hyphens are optional.
 *
 * @throws OperatorError `usage` when the prefix is malformed or ambiguous, `not_found` when no lead matches.
 */
export async function findLead(client: Queryable, prefix: string): Promise<LeadRow> {
  const digits = prefix.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{1,32}$/.test(digits)) {
    throw usage(`"${prefix.slice(0, 40)}" is not the beginning of a lead id.`);
  }
  // A range of ids, which the primary key's index can answer.
  const range = 'select * from leads where id between $1 and $2 limit 2';
  const [lead, another] = (await client.query<LeadRow>(range, [...idRange(digits)])).rows;
  if (lead === undefined) throw notFound(`There is no lead ${prefix}.`);
  if (another !== undefined) {
    throw usage(`More than one lead begins with ${prefix}: give more of the id.`);
  }
  return lead;
}

/** Returns the first and last id that begin with these hexadecimal digits. */
export function idRange(digits: string): readonly [string, string] {
  return [uuidOf(digits.padEnd(32, '0')), uuidOf(digits.padEnd(32, 'f'))];
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
