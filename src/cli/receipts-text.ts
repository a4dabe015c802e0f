import type { Receipt } from '../server/operators/receipts.ts';
import { timeFormatter } from '../server/operators/time-format.ts';
import { plain } from './terminal.ts';

/** Returns lines that name who must be informed, and who received only anonymous data. */
export function receiptLines(receipts: readonly Receipt[], timeZone: string): string[] {
  const clock = timeFormatter(timeZone);
  const told = receipts.filter(({ is_personal }) => is_personal);
  const line = ({ destination, state, at, lead_id, external_id }: Receipt) => {
    const what =
      state === 'delivered' ? 'got' : state === 'sending' ? 'is being sent' : 'may have got';
    const id = external_id === null ? '' : ` as ${plain(external_id)}`;
    const name = destination === 'save_data' ? 'the progress mirror (SAVE_DATA_URL)' : destination;
    return `  ${name} ${what} lead ${lead_id} on ${clock(at).full}${id}`;
  };
  // A party that received both kinds is listed once, as one to inform.
  const names = new Set(told.map(({ destination }) => destination));
  const others = receipts.map(({ destination }) => destination).filter((name) => !names.has(name));
  const lines = told.map(line);
  if (told.length > 0) lines.unshift('These received personal data, and have to be told:');
  if (others.length > 0) {
    const all = [...new Set(others)].join(', ');
    lines.push(`These received no personal data, only ids or a zip code: ${all}.`);
  }
  return lines;
}
