/** What commands with much work share: they can be interrupted, and show how far they are. */
import process from 'node:process';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** One Ctrl-C arrives twice through npm, which passes on what the terminal sends to everybody. */
const SAME_SIGNAL_MS = 1_000;
type Signal = keyof typeof EXIT_CODES;

/** Why a command ended early: Ctrl-C, or a signal. The message says what is done and what is not. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: Signal, message: string) {
    super(message);
    this.exitCode = EXIT_CODES[signal];
  }
}

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
  const { isInPortions, stop } = options;
  const controller = new AbortController();
  let firstAtMs: number | undefined;
  const onSignal = (name: Signal) => {
    if (firstAtMs !== undefined && performance.now() - firstAtMs < SAME_SIGNAL_MS) return;
    firstAtMs ??= performance.now();
    if (isInPortions && !controller.signal.aborted) {
      controller.abort(
        new Interrupted(name, 'Interrupted. What is done stays: run the same again for the rest.'),
      );
      return;
    }
    console.error('Interrupted: what was not done is taken back.');
    void stop().finally(() => process.exit(EXIT_CODES[name]));
  };
  const names = Object.keys(EXIT_CODES) as Signal[];
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    unwatch() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}

const EVERY_MS = 1_000;

/**
 * Shows on a terminal, each second, how much of a work is done. Elsewhere it shows nothing.
 *
 * @param what the plural of what is counted
 */
export function showProgress(what: string): { add(rows: number): void; end(): void } {
  const { stderr } = process;
  let [rows, shownMs] = [0, performance.now()];
  return {
    add(done) {
      rows += done;
      if (!stderr.isTTY || performance.now() - shownMs < EVERY_MS) return;
      shownMs = performance.now();
      stderr.write(`\r\u001b[K${rows.toLocaleString('en-US')} ${what}`);
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\u001b[K');
    },
  };
}
