/** Runs an operators' command: exit codes, errors, and interruptions. */
import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { cleanDatabaseError } from '../server/platform/database/database-error.ts';
import { OperatorError } from '../server/platform/operator-error.ts';

const EXIT = { ok: 0, refused: 1, not_allowed: 1, too_many: 1, usage: 2, not_found: 3 } as const;
const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof SIGNAL_EXIT;

/** Why a command ended early: Ctrl-C, or a signal. The message says what is done and what is not. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: Signal) {
    super('Interrupted. What is done stays: run the same again for the rest.');
    this.exitCode = SIGNAL_EXIT[signal];
  }
}

/** Returns a program, to which commands are added, with a text below its help. */
export function createProgram(name: string, description: string, help: string): Command {
  return new Command(name)
    .description(description)
    .addHelpText('after', help)
    .showHelpAfterError('(see --help for usage)')
    .exitOverride();
}

/** Runs a program with these arguments. Prints errors on standard error. @returns the exit code */
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

/** One Ctrl-C arrives twice through npm, which passes on what the terminal sends to everybody. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Watches for signals while a command works. The first one aborts the signal, for work in portions; the work ends
 * after its portion, by throwing the reason. The second one, or the first for other work, ends the process at once:
 * the database takes back what was not committed.
 *
 * @param options.stop stops what must not outlive the process
 */
export function watchSignals(options: {
  readonly isInPortions: boolean;
  readonly stop: () => Promise<void>;
}): { readonly signal: AbortSignal; unwatch(): void } {
  const controller = new AbortController();
  let firstAtMs: number | undefined;
  const onSignal = (name: Signal) => {
    if (firstAtMs !== undefined && performance.now() - firstAtMs < SAME_SIGNAL_MS) return;
    firstAtMs ??= performance.now();
    if (options.isInPortions && !controller.signal.aborted) {
      controller.abort(new Interrupted(name));
      return;
    }
    console.error('Interrupted: what was not done is taken back.');
    void options.stop().finally(() => process.exit(SIGNAL_EXIT[name]));
  };
  const names = Object.keys(SIGNAL_EXIT) as Signal[];
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    unwatch() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
