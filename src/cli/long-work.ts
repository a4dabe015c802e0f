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

/** Where progress is shown: standard error, or a test's stand-in. */
type Shown = { readonly isTTY?: boolean; write(text: string): unknown };

/** On a terminal one line is drawn again and again; elsewhere a line is a line of a log. */
const EVERY_MS = { terminal: 1_000, elsewhere: 30_000 };

/** The progress of a command's work. */
export type Progress = {
  /** Adds done rows, and shows the progress if it is time. `all`: how many rows there are, if that is known now. */
  add(rows: number, all?: number): void;
  /** Removes the line from a terminal. */
  end(): void;
  readonly rows: number;
};

/**
 * Shows rows, rate and remaining time of a work: on a terminal each second, elsewhere every half minute.
 *
 * @param what the plural of what is counted
 * @param nowMs for tests
 */
export function showProgress(
  what: string,
  shown: Shown = process.stderr,
  nowMs: () => number = () => performance.now(),
): Progress {
  const startedMs = nowMs();
  const everyMs = shown.isTTY ? EVERY_MS.terminal : EVERY_MS.elsewhere;
  let [rows, shownMs] = [0, startedMs];
  let expected: number | undefined;
  let hasLine = false;
  const text = (seconds: number) => {
    const rate = rows / seconds;
    const about = `${number(rows)} ${what}, ${number(rate)} a second`;
    if (expected === undefined || rate === 0) return about;
    const left = Math.max(0, expected - rows);
    return `${about}, about ${number(left)} remain (${duration(left / rate)})`;
  };
  return {
    get rows() {
      return rows;
    },
    add(done, all = expected) {
      rows += done;
      expected = all;
      const now = nowMs();
      if (now - shownMs < everyMs) return;
      shownMs = now;
      hasLine = true;
      const line = text((now - startedMs) / 1_000);
      shown.write(shown.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end() {
      if (hasLine && shown.isTTY) shown.write('\r\u001b[K');
    },
  };
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Returns a duration as hours, minutes and seconds: `1:04`, `2:10:00`. */
function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const hours = Math.floor(whole / 3_600);
  return [...(hours > 0 ? [hours] : []), ...parts].join(':').replace(/^0(?=\d:)/, '');
}
