/** Writes long texts to a file or to standard output. */
import { open, rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeControls } from '../server/operators/escape-controls.ts';
import { OperatorError } from '../server/operators/operator-error.ts';

/**
 * Writes a text to a file or to standard output. The file appears in one step and only its owner can read it,
 * as it holds personal data. On a terminal, control characters are escaped; a file or pipe gets every byte.
 */
export async function writeText(
  text: AsyncIterable<string>,
  output?: string,
  standardOutput: Writable & { readonly isTTY?: boolean } = process.stdout,
): Promise<void> {
  if (output === undefined) {
    return write(standardOutput.isTTY ? escaped(text) : text, standardOutput, false);
  }
  const unfinished = `${output}.${process.pid}.part`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    await write(text, file.createWriteStream(), true);
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new OperatorError('refused', `${output} cannot be written (${code}).`);
  }
}

async function* escaped(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of text) yield escapeControls(part);
}

async function write(text: AsyncIterable<string>, to: Writable, end: boolean): Promise<void> {
  try {
    await pipeline(Readable.from(text), to, { end });
  } catch (error) {
    // A reader such as `| head` closed the pipe early.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
