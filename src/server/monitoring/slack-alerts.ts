/**
 * Sends alerts to a Slack channel: `POST {SLACK_WEBHOOK_URL}` with `{text}` (docs/specification.md#alerts,
 * docs/decisions/0027-deliveries.md). Alerts wait in memory: the facts are in the database and the log, and an
 * alert about a full database could not be stored there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Alerts } from '../base/alerts.ts';
import { isSuccess, retryAfterMs } from '../base/outgoing-answer.ts';
import { type OutgoingAnswer, OutgoingError, type OutgoingHttp } from '../base/outgoing-http.ts';
import { withoutPersons } from '../checks/vendor-message.ts';

/** Slack accepts about one message a second. */
const PAUSE_MS = 1_000;
/**
 * A text is repeated at most once in this time, with its count: a lasting problem, or someone who provokes alerts,
 * cannot flood the channel.
 */
const AGAIN_MS = 60_000;
/** Maximum number of alerts in one message; the others wait for the next. */
const LINES_PER_MESSAGE = 20;
/** Maximum number of different alerts waiting; further ones are only counted. */
const MAX_WAITING = 200;
/** Tries per message, with pauses that double up to a minute: about ten minutes in all. */
const MAX_TRIES = 15;
const LONGEST_PAUSE_MS = 60_000;
/** A longer Retry-After is cut to this. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000;

export type SlackAlertsOptions = {
  http: Pick<OutgoingHttp, 'request'>;
  /** Secret. */
  url: string;
  timeoutMs: number;
  log: Pick<Logger, 'error' | 'warn'>;
  /** For tests; resolves early when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A monotonic clock in milliseconds, for tests. */
  nowMs?: () => number;
};

export type SlackAlerts = {
  readonly alert: Alerts;
  /** Sends each waiting alert once more, within one call's time-out. */
  stop(): Promise<void>;
};

/** A waiting alert, and how often it was raised meanwhile. */
type Line = { count: number; facts: string };

/** Returns alerts that never throw and never wait. */
export function createSlackAlerts(options: SlackAlertsOptions): SlackAlerts {
  const { http, url, timeoutMs, log, pause = pauseFor } = options;
  const { nowMs = () => performance.now() } = options;
  const waiting = new Map<string, Line>();
  /** When each text was last sent. */
  const lastSaid = new Map<string, number>();
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
      // A fault of our own: its message may hold anything, so only the name is logged.
      log.error(
        { error: error instanceof Error ? error.name : 'unknown' },
        'Could not send alerts',
      );
    } finally {
      sending = undefined;
    }
  }

  /** Returns undefined if every waiting text was sent a moment ago. */
  function takeMessage(): string | undefined {
    const at = nowMs();
    for (const [text, atMs] of lastSaid) if (at - atMs >= AGAIN_MS) lastSaid.delete(text);
    const sayable = [...waiting].filter(([text]) => stopping.signal.aborted || !lastSaid.has(text));
    if (sayable.length === 0) return undefined;
    const lines = sayable.slice(0, LINES_PER_MESSAGE).map(([text, line]) => {
      waiting.delete(text);
      lastSaid.set(text, at);
      return lineText(text, line);
    });
    if (dropped > 0) lines.push(`and ${dropped} more; see the log`);
    dropped = 0;
    return lines.length === 1 ? `${lines[0]}` : lines.map((line) => `• ${line}`).join('\n');
  }

  async function deliver(text: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { outcome, reason, afterMs } = await send(text);
      if (outcome === 'taken') return;
      if (outcome === 'refused' || attempt >= MAX_TRIES || stopping.signal.aborted) {
        log.error({ reason }, 'Could not send an alert to its channel; it is in the log');
        return;
      }
      log.warn({ reason, attempt }, 'Will retry sending an alert to its channel');
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
      // The message may have arrived, but sending it twice is better than never.
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

/** Reads an answer: 2xx is success; 429 and 5xx are retried; anything else is final. */
function readAnswer(answer: OutgoingAnswer): Sent {
  const { status, headers } = answer;
  const reason = `HTTP ${status}`;
  if (isSuccess(answer)) return { outcome: 'taken', reason };
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

/** Returns only ids, words and small numbers, since no address or phone number looks like one of these. */
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

/** Escapes what Slack would interpret: links and mentions. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Returns alerts that go to the log, with a mark, and, if configured, to the operators' Slack channel. */
export function createAlerts({
  slack,
  http,
  log,
}: Pick<SlackAlertsOptions, 'http'> & {
  slack: Pick<SlackAlertsOptions, 'url' | 'timeoutMs'> | undefined;
  log: Pick<Logger, 'error' | 'warn'>;
}): SlackAlerts {
  const toLog: Alerts = (text, facts = {}) => log.error({ alert: true, ...facts }, text);
  if (slack === undefined) return { alert: toLog, stop: async () => undefined };
  const channel = createSlackAlerts({ ...slack, http, log });
  return {
    alert(text, facts) {
      toLog(text, facts);
      channel.alert(text, facts);
    },
    stop: () => channel.stop(),
  };
}
