/** Who runs the command, and what commands share when they talk with that person. */
import { userInfo } from 'node:os';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../server/operators/operator-error.ts';
import { type Receipt, receiptLines } from '../server/privacy/index.ts';
import { plain } from './terminal.ts';

/** Returns the name under which an operator's changes are recorded. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'an operator'; // Containers often run as a user id without a name.
  }
}

/** Returns a count with its noun: `1 lead`, `3 leads`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns a count of deliveries. */
export function deliveriesText(count: number): string {
  return counted(count, 'delivery', 'deliveries');
}

/**
 * Asks for confirmation on the terminal, unless `--yes` gave it.
 * @param asked.why why confirmation is needed
 * @param asked.refusal what a refusal means
 * @throws OperatorError when the operator does not confirm
 */
export async function confirm(
  isGiven: true | undefined,
  asked: { readonly question: string; readonly why: string; readonly refusal: string },
): Promise<void> {
  if (isGiven) return;
  const { question, why, refusal } = asked;
  if (!process.stdin.isTTY) {
    throw new OperatorError('usage', `${why}: confirm with --yes, as there is no terminal.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} Type "yes": `);
    if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('refused', refusal);
  } finally {
    terminal.close();
  }
}

/** Returns `receiptLines` for a terminal: the recipients' own ids may contain control characters. */
export function receiptText(receipts: readonly Receipt[], timeZone: string): string[] {
  return receiptLines(receipts, timeZone).map(plain);
}
