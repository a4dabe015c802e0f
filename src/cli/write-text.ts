/** Writes long texts and files. */
import { rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import process from 'node:process';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapedControls } from '../server/insight/index.ts';
import { OperatorError } from '../server/platform/operator-error.ts';

/** A stream such as standard output. */
type Output = Writable & { readonly isTTY?: boolean };

type Content = AsyncIterable<string> | readonly Uint8Array[];

/**
 * Writes a text to a file or to standard output. The file appears in one step, once it is whole, and only its owner can
 * read it, as it holds personal data. On a terminal, control characters are escaped; a file or pipe gets every byte.
 */
export async function writeText(
  text: Content,
  output?: string,
  standardOutput: Output = process.stdout,
): Promise<void> {
  if (output === undefined) {
    const isShown = standardOutput.isTTY && Symbol.asyncIterator in text;
    const shown = isShown ? escapedControls(text) : text;
    return write(shown, standardOutput, false);
  }
  const unfinished = `${output}.${process.pid}.part`;
  const remove = () => rmSync(unfinished, { force: true });
  // A second Ctrl-C ends the process at once.
  process.once('exit', remove);
  try {
    const file = await open(unfinished, 'wx', 0o600);
    await write(text, file.createWriteStream(), true);
    await rename(unfinished, output);
  } catch (error) {
    remove();
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new OperatorError('refused', `${output} cannot be written (${code}).`);
  } finally {
    process.off('exit', remove);
  }
}

async function write(text: Content, to: Writable, end: boolean): Promise<void> {
  try {
    await pipeline(Readable.from(text, { highWaterMark: 1 }), to, { end });
  } catch (error) {
    // A reader such as `| head` closed the pipe early.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
