/** Runs a command for operators and handles errors and signals. */
import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { cleanDatabaseError } from '../server/platform/database/database-error.ts';
import { OperatorError } from '../server/platform/operator-error.ts';

const EXIT = { ok: 0, refused: 1, not_allowed: 1, too_many: 1, usage: 2, not_found: 3 } as const;
const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof SIGNAL_EXIT;

/** Returns a program to which commands can be added. */
export function createProgram(name: string, description: string, help: string): Command {
  return new Command(name)
    .description(description)
    .addHelpText('after', help)
    .showHelpAfterError('(see --help for usage)')
    .exitOverride();
}

/** Runs a program, prints errors on standard error, and returns the exit code. */
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
    const { message } = cleanDatabaseError(error);
    console.error(`The command failed: ${message}`);
    return EXIT.refused;
  }
}

/** Runs a program with the arguments of the process, and sets its exit code. */
export async function runAsProcess(
  run: (argv: readonly string[]) => Promise<number>,
): Promise<void> {
  // A reader such as `| head` may close the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}

/** Calls `stop` at the first SIGINT or SIGTERM, and then ends the process. */
export function watchSignals(stop: () => Promise<void>): () => void {
  let isStopping = false;
  const onSignal = (name: Signal) => {
    if (isStopping) return;
    isStopping = true;
    console.error('Interrupted: what was not done is taken back.');
    void stop().finally(() => process.exit(SIGNAL_EXIT[name]));
  };
  const names = Object.keys(SIGNAL_EXIT) as Signal[];
  for (const name of names) process.on(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
}
