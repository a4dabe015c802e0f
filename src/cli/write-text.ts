/** Writes long texts to a file or to standard output. */
import { rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import process from 'node:process';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeControls } from '../server/operators/escape-controls.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import { Interrupted } from './long-work.ts';

/** A stream such as standard output. */
type Output = Writable & { readonly isTTY?: boolean };

/**
 * Writes a text to a file or to standard output. The file appears in one step and only its owner can read it,
 * as it holds personal data. On a terminal, control characters are escaped; a file or pipe gets every byte.
 *
 * @param text if it ends by throwing `Interrupted`, what it yielded before is written, to a file with `.incomplete`
 * behind its name
 * @throws Interrupted
 */
export async function writeText(
  text: AsyncIterable<string>,
  output?: string,
  standardOutput: Output = process.stdout,
): Promise<void> {
  const { all, interrupted } = untilInterrupted(text);
  if (output === undefined) {
    await write(standardOutput.isTTY ? escaped(all) : all, standardOutput, false);
    throwIfGiven(interrupted());
    return;
  }
  const unfinished = `${output}.${process.pid}.part`;
  const remove = () => rmSync(unfinished, { force: true });
  // A second Ctrl-C ends the process at once.
  process.once('exit', remove);
  try {
    const file = await open(unfinished, 'wx', 0o600);
    await write(all, file.createWriteStream(), true);
    await rename(unfinished, interrupted() ? `${output}.incomplete` : output);
  } catch (error) {
    remove();
    throw told(error, output);
  } finally {
    process.off('exit', remove);
  }
  throwIfGiven(interrupted());
}

/**
 * Goes on with the file that an interrupted `writeText` left, which gets its name when it is whole.
 *
 * @param end how many bytes of it stay
 * @throws Interrupted
 */
export async function continueText(
  text: AsyncIterable<string>,
  output: string,
  end: number,
): Promise<void> {
  const { all, interrupted } = untilInterrupted(text);
  const incomplete = `${output}.incomplete`;
  try {
    const file = await open(incomplete, 'r+');
    await file.truncate(end);
    await write(all, file.createWriteStream({ start: end }), true);
    if (!interrupted()) await rename(incomplete, output);
  } catch (error) {
    throw told(error, output);
  }
  throwIfGiven(interrupted());
}

/** Returns an error of the file system as one for operators, and others as they are. */
function told(error: unknown, output: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new OperatorError('refused', `${output} cannot be written (${code}).`);
}

/** Returns the text without its interruption, and a function that tells it. */
function untilInterrupted(text: AsyncIterable<string>) {
  let reason: Interrupted | undefined;
  async function* all() {
    try {
      yield* text;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      reason = error;
    }
  }
  return { all: all(), interrupted: () => reason };
}

function throwIfGiven(error: Error | undefined): void {
  if (error) throw error;
}

async function* escaped(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of text) yield escapeControls(part);
}

async function write(text: AsyncIterable<string>, to: Writable, end: boolean): Promise<void> {
  try {
    await pipeline(Readable.from(text, { highWaterMark: 1 }), to, { end });
  } catch (error) {
    // A reader such as `| head` closed the pipe early.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
