/**
 * Alerts to a Slack channel: `POST {SLACK_WEBHOOK_URL}` with `{text}`
 * (docs/specification.md#alerts, docs/decisions/0027-deliveries.md).
 *
 * They wait in memory: what they point at stays in the ledger and the log, and one that says that the
 * database is full could not wait in it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Alerts } from '../base/alerts.ts';
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingHttp,
  retryAfterMs,
} from './outgoing-http.ts';
import { withoutPersons } from './vendor-message.ts';

/** The service takes about one message a second. */
const PAUSE_MS = 1_000;
/**
 * The same text again waits for twice as long as the time before, up to this, and is said with its number:
 * nothing that goes on for hours, and nobody who makes an alert on purpose, fills the channel. Not said for
 * twice this time, it is new.
 */
const LONGEST_AGAIN_MS = 60_000;
/** Different alerts in one message; more wait for the next. */
const LINES_PER_MESSAGE = 20;
/** Different alerts that wait at most; what is beyond is counted. */
const MAX_WAITING = 200;
/** Tries of one message, with pauses that double up to a minute: about ten minutes. */
const MAX_TRIES = 15;
const LONGEST_PAUSE_MS = 60_000;
/** A Retry-After beyond this is not believed. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000;

export type SlackAlertsOptions = {
  http: Pick<OutgoingHttp, 'request'>;
  /** Secret. */
  url: string;
  timeoutMs: number;
  log: Pick<Logger, 'error' | 'warn'>;
  /** For tests; ends early when the signal says so. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** For tests: milliseconds of a clock that only goes forward. */
  nowMs?: () => number;
};

export type SlackAlerts = {
  readonly alert: Alerts;
  /** Sends what waits, each once more, and ends after at most one call's time-out. */
  stop(): Promise<void>;
};

/** One thing that was said, as often as it was said while it waited. */
type Line = { count: number; facts: string };

/** Never throws and never waits: a channel that is away costs nobody anything. */
export function createSlackAlerts(options: SlackAlertsOptions): SlackAlerts {
  const { http, url, timeoutMs, log, pause = pauseFor } = options;
  const { nowMs = () => performance.now() } = options;
  const waiting = new Map<string, Line>();
  /** When each text was last said, and how long it waits before it is said again. */
  const lastSaid = new Map<string, { atMs: number; againMs: number }>();
  let dropped = 0;
  const stopping = new AbortController();
  let sending: Promise<void> | undefined;

  function alert(text: string, facts: Readonly<Record<string, string | number>> = {}): void {
    const said = withoutPersons(text);
    const line = waiting.get(said);
    if (line) line.count += 1;
    else if (waiting.size < MAX_WAITING) waiting.set(said, { count: 1, facts: factsText(facts) });
    else dropped += 1;
    if (!stopping.signal.aborted) sending ??= sendAll();
  }

  async function sendAll(): Promise<void> {
    try {
      while (waiting.size > 0) {
        const message = takeMessage();
        if (message !== undefined) await deliver(message);
        await pause(PAUSE_MS, stopping.signal);
      }
    } catch (error) {
      // A fault of ours, whose message could hold anything.
      log.error({ error: error instanceof Error ? error.name : 'unknown' }, 'Alerts failed');
    } finally {
      sending = undefined;
    }
  }

  /** Undefined: all that waits was said a moment ago. */
  function takeMessage(): string | undefined {
    const at = nowMs();
    for (const [text, { atMs }] of lastSaid) {
      if (at - atMs >= 2 * LONGEST_AGAIN_MS) lastSaid.delete(text);
    }
    const sayable = [...waiting].filter(([text]) => {
      const before = lastSaid.get(text);
      return stopping.signal.aborted || !before || at - before.atMs >= before.againMs;
    });
    if (sayable.length === 0) return undefined;
    const lines = sayable.slice(0, LINES_PER_MESSAGE).map(([text, line]) => {
      const againMs = Math.min(2 * (lastSaid.get(text)?.againMs ?? PAUSE_MS / 2), LONGEST_AGAIN_MS);
      waiting.delete(text);
      lastSaid.set(text, { atMs: at, againMs });
      return lineText(text, line);
    });
    if (dropped > 0) lines.push(`and ${dropped} more, which the log has`);
    dropped = 0;
    return lines.length === 1 ? `${lines[0]}` : lines.map((line) => `• ${line}`).join('\n');
  }

  async function deliver(text: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { outcome, reason, afterMs } = await send(text);
      if (outcome === 'taken') return;
      if (outcome === 'refused' || attempt >= MAX_TRIES || stopping.signal.aborted) {
        log.error({ reason }, 'An alert did not reach its channel; the log has it');
        return;
      }
      log.warn({ reason, attempt }, 'An alert waits for its channel');
      await pause(afterMs ?? Math.min(PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS), stopping.signal);
    }
  }

  async function send(text: string): Promise<Sent> {
    try {
      const answer = await http.request({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: escaped(text) }),
        timeoutMs,
      });
      return readAnswer(answer);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      // It may have been said already: twice is better than not at all.
      return { outcome: 'later', reason: error.message };
    }
  }

  return {
    alert,
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}

type Sent = { outcome: 'taken' | 'later' | 'refused'; reason: string; afterMs?: number };

/** 2xx is taken; 429 and 5xx come back later; anything else (400, 403, 404, 410) is final. */
function readAnswer({ status, headers }: OutgoingAnswer): Sent {
  const reason = `HTTP ${status}`;
  if (status >= 200 && status <= 299) return { outcome: 'taken', reason };
  if (status !== 429 && status < 500) return { outcome: 'refused', reason };
  const asked = retryAfterMs(headers['retry-after'], new Date());
  if (asked === undefined) return { outcome: 'later', reason };
  return { outcome: 'later', reason, afterMs: Math.min(asked, LONGEST_RETRY_AFTER_MS) };
}

function lineText(text: string, { count, facts }: Line): string {
  return count > 1 ? `${text} (${count} times)` : `${text}${facts}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WORD = /^[A-Za-z][A-Za-z _-]{0,40}$/;

/** Ids, words and small numbers, by their shape: no address and no phone number looks like one of these. */
function factsText(facts: Readonly<Record<string, string | number>>): string {
  const shown = Object.entries(facts).filter(([, value]) =>
    typeof value === 'number'
      ? Number.isSafeInteger(value) && Math.abs(value) < 1_000_000
      : UUID.test(value) || WORD.test(value),
  );
  return shown.length === 0
    ? ''
    : ` (${shown.map(([name, value]) => `${name} ${value}`).join(', ')})`;
}

/** What the service reads as its own: links, mentions. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
