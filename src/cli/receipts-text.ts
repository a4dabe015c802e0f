import { type Receipt, receiptLines } from '../server/privacy/index.ts';
import { plain } from './terminal.ts';

/** Returns `receiptLines` for a terminal: the recipients' own ids may contain control characters. */
export function receiptText(receipts: readonly Receipt[], timeZone: string): string[] {
  return receiptLines(receipts, timeZone).map(plain);
}
