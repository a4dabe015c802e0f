/** Runs an operators' command: exit codes and errors. */
import process from 'node:process';
import { type Command, CommanderError } from 'commander';
import { OperatorError } from '../server/operators/operator-error.ts';
import { cleanDatabaseError } from '../server/storage/database-error.ts';
import { Interrupted } from './long-work.ts';

const EXIT = { ok: 0, refused: 1, too_many: 1, usage: 2, not_found: 3 } as const;

/** Runs a program with these arguments. Errors are told on standard error. @returns the exit code */
export async function runProgram(program: Command, argv: readonly string[]): Promise<number> {
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof OperatorError) {
      console.error(error.message);
      return EXIT[error.kind];
    }
    if (error instanceof Interrupted) {
      console.error(error.message);
      return error.exitCode;
    }
    // Database errors can contain a visitor's values.
    const { message } = cleanDatabaseError(error);
    console.error(`The command failed: ${message}`);
    return EXIT.refused;
  }
}

/** Runs a program as the process. */
export async function runAsProcess(
  run: (argv: readonly string[]) => Promise<number>,
): Promise<void> {
  // A reader such as `| head` may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}
