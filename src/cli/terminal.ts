/** Input and output of the commands: tables, confirmations, progress, and long texts or files. */

import { rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { userInfo } from 'node:os';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stripVTControlCharacters } from 'node:util';
import { counted } from '../server/insight/index.ts';
import { refused, usage } from '../server/platform/operator-error.ts';
import { type Receipt, receiptLines } from '../server/privacy/index.ts';

/** Returns a text as one line, without control characters that could change the screen. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu,
    ' ',
  );
}

/** Returns a table with a line of titles and left-aligned columns, two spaces apart. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows.map((cells) => cells.map(plain))];
  const widths = titles.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  const padded = (cells: readonly string[]) =>
    cells.map((cell, at) => cell.padEnd(widths[at] ?? 0));
  return lines.map((cells) => padded(cells).join('  ').trimEnd()).join('\n');
}

/** Returns the system user's name, under which the audit log records changes. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'an operator'; // In containers the user id often has no name.
  }
}

/** Returns a number of deliveries in words, such as `2 deliveries`. */
export const deliveriesText = (count: number) => counted(count, 'delivery', 'deliveries');

/** Asks a question, unless `--yes` is given. @throws OperatorError if the answer is no */
export async function confirm(isGiven: true | undefined, question: string): Promise<void> {
  if (isGiven) return;
  if (!process.stdin.isTTY) {
    throw usage(`${question} As there is no terminal, confirm with --yes.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} Type "yes": `);
    if (answer.trim().toLowerCase() !== 'yes') throw refused('Nothing was changed.');
  } finally {
    terminal.close();
  }
}

/** Prints receipts without control characters, which a recipient's id could contain. */
export function printReceipts(receipts: readonly Receipt[], timeZone: string): void {
  for (const line of receiptLines(receipts, timeZone)) console.log(plain(line));
}

/** Writes a text to standard output, or to a complete file that only its owner can read. */
export async function writeText(
  text: AsyncIterable<string> | readonly Uint8Array[],
  output?: string,
): Promise<void> {
  const source = Readable.from(text, { highWaterMark: 1 });
  if (output === undefined) return pipeline(source, process.stdout, { end: false });
  const unfinished = `${output}.${process.pid}.part`;
  const remove = () => rmSync(unfinished, { force: true });
  // Removes the unfinished file even if a second Ctrl-C ends the process at once.
  process.once('exit', remove);
  try {
    const file = await open(unfinished, 'wx', 0o600);
    await pipeline(source, file.createWriteStream());
    await rename(unfinished, output);
  } catch (error) {
    remove();
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : refused(`${output} cannot be written (${code}).`);
  } finally {
    process.off('exit', remove);
  }
}
