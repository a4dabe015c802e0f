/** Alerts operators in the log and, if configured, in Slack (docs/specification.md#alerts). */
import type { Logger } from 'pino';
import { pauseFor } from './in-time.ts';
import { isSuccess, withoutPersons } from './outgoing-answer.ts';
import { OutgoingError, type OutgoingHttp } from './outgoing-http.ts';

/** Alerts the operators. Neither the text nor the facts may contain personal data. */
export type Alerts = (text: string, facts?: Readonly<Record<string, string | number>>) => void;

const HOUR_MS = 3_600_000;

/** Returns a function that sends an alert with a fixed text at most once an hour. */
export function createHourlyAlert(alert: Alerts, text: string) {
  let quietUntilMs = 0;
  return (facts?: Parameters<Alerts>[1]): void => {
    const nowMs = performance.now();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + HOUR_MS;
    alert(text, facts);
  };
}

/** Pause between messages, because Slack accepts about one message a second. */
const PAUSE_MS = 1_000;
/** Minimum time between messages with the same text, so that nobody can flood the channel. */
const AGAIN_MS = 60_000;
/** Maximum number of alerts with different texts that wait. Further alerts are only logged. */
const MAX_WAITING = 50;
/** Maximum number of attempts to send a message, which take about ten minutes in total. */
const MAX_TRIES = 15;
const LONGEST_PAUSE_MS = 60_000;

/** A Slack channel. The URL is secret. */
type Channel = { readonly url: string; readonly timeoutMs: number };
type AlertOptions = {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns the milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
};

/** Returns a function that alerts operators through Slack and never throws. */
export function createSlackAlerts(options: AlertOptions & Channel) {
  const { http, url, timeoutMs, log, pause = pauseFor } = options;
  const { nowMs = () => performance.now() } = options;
  /** Maps the text of each waiting alert to the alert's facts and number of repetitions. */
  const waiting = new Map<string, { count: number; facts: string }>();
  /** Maps each text to the time of its last message. */
  const lastSentMs = new Map<string, number>();
  const stopping = new AbortController();
  let sending: Promise<void> | undefined;

  const alert: Alerts = (text, facts = {}) => {
    const safe = withoutPersons(text);
    const line = waiting.get(safe);
    if (line) line.count += 1;
    else if (waiting.size < MAX_WAITING) waiting.set(safe, { count: 1, facts: factsText(facts) });
    if (!stopping.signal.aborted) sending ??= sendAll();
  };

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const message = takeMessage();
      if (message !== '') await deliver(message);
      await pause(PAUSE_MS, stopping.signal);
    }
    sending = undefined;
  }

  /** Returns the next message, or '' if every waiting text was sent within the last `AGAIN_MS`. */
  function takeMessage(): string {
    const at = nowMs();
    for (const [text, atMs] of lastSentMs) if (at - atMs >= AGAIN_MS) lastSentMs.delete(text);
    const due = [...waiting].filter(([text]) => stopping.signal.aborted || !lastSentMs.has(text));
    const lines = due.map(([text, { count, facts }]) => {
      waiting.delete(text);
      lastSentMs.set(text, at);
      return count > 1 ? `${text} (${count} times)` : `${text}${facts}`;
    });
    return lines.join('\n');
  }

  /** Sends a message. Retries if the answer is 429 or 5xx, or if there is no answer. */
  async function deliver(text: string): Promise<void> {
    // Escapes the characters with which Slack marks links and mentions.
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const request = {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: escaped }),
      timeoutMs,
    } as const;
    for (let attempt = 1; ; attempt += 1) {
      // Only the message of an `OutgoingError` is certain to contain no personal data.
      const answer = await http.request(request).catch((error: unknown) => ({
        status: 503,
        reason: error instanceof OutgoingError ? error.message : 'an unexpected error',
      }));
      if (isSuccess(answer)) return;
      const { status } = answer;
      const reason = 'reason' in answer ? answer.reason : `HTTP ${status}`;
      const isFinal = status !== 429 && status < 500;
      if (isFinal || attempt >= MAX_TRIES || stopping.signal.aborted) {
        log.error({ reason }, 'Could not send an alert to its channel; it is in the log');
        return;
      }
      log.warn({ reason, attempt }, 'Will retry sending an alert to its channel');
      await pause(Math.min(PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS), stopping.signal);
    }
  }

  return {
    alert,
    async stop(): Promise<void> {
      stopping.abort();
      await sending;
    },
  };
}

function factsText(facts: Readonly<Record<string, string | number>>): string {
  const texts = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

/** Returns a function that logs alerts and, if Slack is configured, sends the alerts to Slack. */
export function createAlerts(slack: Channel | undefined, { http, log }: AlertOptions) {
  const channel = slack && createSlackAlerts({ ...slack, http, log });
  const alert: Alerts = (text, facts = {}) => {
    log.error({ alert: true, ...facts }, text);
    channel?.alert(text, facts);
  };
  return { alert, stop: async () => channel?.stop() };
}
