/** Runs a command for operators. Handles its exit code, errors and signals. */
import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { cleanDatabaseError } from '../server/platform/database/database-error.ts';
import { OperatorError } from '../server/platform/operator-error.ts';

const EXIT = { ok: 0, refused: 1, not_allowed: 1, too_many: 1, usage: 2, not_found: 3 } as const;
const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof SIGNAL_EXIT;

/** The error of a command that a signal ended between two portions. Finished portions stay. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: Signal) {
    super('Interrupted. What is done stays: run the same again for the rest.');
    this.exitCode = SIGNAL_EXIT[signal];
  }
}

/** Returns a program without commands. `help` is printed below its generated help. */
export function createProgram(name: string, description: string, help: string): Command {
  return new Command(name)
    .description(description)
    .addHelpText('after', help)
    .showHelpAfterError('(see --help for usage)')
    .exitOverride();
}

/** Runs a program and prints its errors on standard error. @returns the exit code */
export async function runProgram(program: Command, argv: readonly string[]): Promise<number> {
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof OperatorError || error instanceof Interrupted) {
      console.error(error.message);
      return error instanceof Interrupted ? error.exitCode : EXIT[error.kind];
    }
    // Cleans the message, because database errors can contain a visitor's values.
    const { message } = cleanDatabaseError(error);
    console.error(`The command failed: ${message}`);
    return EXIT.refused;
  }
}

/** Runs a program with the arguments of the process, and sets its exit code. */
export async function runAsProcess(
  run: (argv: readonly string[]) => Promise<number>,
): Promise<void> {
  // Exits without an error if a reader such as `| head` closes the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}

/** Signals within this time count as one: npm passes on the signal that the terminal has already sent. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Handles SIGINT and SIGTERM while a command works. If the work has portions, the first signal aborts `signal`; the work
 * then ends after its current portion by throwing the reason. Otherwise the process ends at once, and the database
 * rolls back uncommitted changes. A second signal always ends the process at once.
 *
 * @param options.stop called before the process ends at once, to stop an embedded database
 */
export function watchSignals(options: {
  readonly isInPortions: boolean;
  readonly stop: () => Promise<void>;
}): { readonly signal: AbortSignal; unwatch(): void } {
  const controller = new AbortController();
  let lastAtMs = Number.NEGATIVE_INFINITY;
  const onSignal = (name: Signal) => {
    const isRepeated = performance.now() - lastAtMs < SAME_SIGNAL_MS;
    lastAtMs = performance.now();
    if (isRepeated) return;
    if (options.isInPortions && !controller.signal.aborted) {
      controller.abort(new Interrupted(name));
      return;
    }
    console.error('Interrupted: what was not done is taken back.');
    void options.stop().finally(() => process.exit(SIGNAL_EXIT[name]));
  };
  const names = Object.keys(SIGNAL_EXIT) as Signal[];
  for (const name of names) process.on(name, onSignal);
  const unwatch = () => {
    for (const name of names) process.off(name, onSignal);
  };
  return { signal: controller.signal, unwatch };
}
