/** Reads the ingest service's answers. A refused lead has the status 2xx, so the body decides. */

import * as v from 'valibot';
import {
  excerpt,
  isSuccess,
  jsonObject,
  readBody,
  unreadable,
} from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer } from '../../platform/outgoing-http.ts';
import { text, type Variable, variable } from '../../platform/variable.ts';
import type { AccountRefusal, SendResult } from './destination.ts';
import { readStatus } from './http-send.ts';

/** The service's error codes that concern our account, not the lead. */
export const accountCodes: Variable<readonly string[], string> = variable(
  v.pipe(
    text,
    v.transform((value): readonly string[] => (value === '' ? [] : value.split(/[\s,]+/))),
    v.check((codes) => codes.every((code) => /^[\w-]{1,20}$/.test(code))),
  ),
  'codes with commas between them, each of at most 20 letters, digits or hyphens ("1002,1003"), or empty',
  '1002',
);

type AccountReading = {
  readonly codes: readonly string[];
  /** The settings of the account. Empty if the mapping service named the account. */
  readonly settings: readonly string[];
};

/** Matches messages about a lead, because such a message may quote a visitor's words. */
const ABOUT_THE_LEAD = /\bvalidation\b|\bduplicate/i;
const CAP = 'its cap is reached';
const ACCOUNT_WORDS: readonly (readonly [string, RegExp])[] = [
  [
    'it does not take our credentials',
    /\bcredentials?\b|\bun-?authori[sz]ed\b|\bnot authori[sz]ed\b|\b(?:invalid|wrong|unknown|incorrect) (?:api |access )?(?:key|campaign|supplier|account)\b/i,
  ],
  [
    'the campaign, supplier or account is closed',
    /\b(?:campaign|supplier|account)\b[^.;]{0,40}\b(?:closed|paused|inactive|disabled|suspended|expired|archived|not active|not found)\b/i,
  ],
  [
    CAP,
    /\b(?:cap|quota|budget)\b[^.;]{0,40}\b(?:reached|exceeded|hit|full|met)\b|\b(?:over|exceeded)\b[^.;]{0,40}\b(?:cap|quota|budget)\b/i,
  ],
];

type IngestBody = Readonly<
  { status: string; price: number | undefined } & Record<
    'code' | 'message' | 'id',
    string | undefined
  >
>;

/** Returns the outcome that an answer of the ingest service means. */
export function classifyIngestAnswer(
  answer: OutgoingAnswer,
  secrets: readonly string[] = [],
  { codes, settings }: AccountReading = { codes: [], settings: [] },
): SendResult {
  const byStatus = readStatus(answer, { secrets, accountSettings: settings });
  if (byStatus.outcome === 'retry' || byStatus.outcome === 'server_error') return byStatus;
  const { httpStatus, response, durationMs } = byStatus;
  const body = readVerdict(answer);
  const { status, code, id } = body ?? {};
  const about = {
    httpStatus,
    response,
    durationMs,
    code: status === 'ACCEPTED' ? undefined : firstOf(code ?? status, 20, secrets),
    message: body && sentence(body, secrets),
    externalId: firstOf(id, 200, secrets),
    price: body?.price,
  };
  if (status === 'ACCEPTED' && isSuccess(answer)) return { ...about, outcome: 'delivered' };
  if (status === 'DUPLICATED') return { ...about, outcome: 'duplicate' };
  if (body && status === 'ERROR') {
    const problem = accountProblem(body, codes);
    if (problem) return { ...about, outcome: 'account', account: { ...problem, settings } };
    return byStatus.outcome === 'account'
      ? { ...byStatus, ...about }
      : { ...about, outcome: 'rejected' };
  }
  if (!isSuccess(answer)) return byStatus;
  return { httpStatus, response, durationMs, outcome: 'unknown', error: unreadable(answer) };
}

/** Removes secrets from a text and cuts the text to `length` characters. */
function firstOf(text: string | undefined, length: number, secrets: readonly string[]) {
  return text === undefined ? undefined : excerpt(text, secrets).slice(0, length);
}

/** Describes the refusal of our account in our own words; undefined if the lead was refused. */
function accountProblem(
  body: IngestBody,
  codes: readonly string[],
): Pick<AccountRefusal, 'problem' | 'isCap'> | undefined {
  const { code, message = '' } = body;
  const isListed = code !== undefined && codes.includes(code);
  if (!isListed && ABOUT_THE_LEAD.test(message)) return undefined;
  const [words] = ACCOUNT_WORDS.find(([, pattern]) => pattern.test(message)) ?? [];
  if (words === undefined && !isListed) return undefined;
  const named = code !== undefined && /^[\w-]{1,20}$/.test(code) ? ` (ERROR ${code})` : '';
  const problem = `${words ?? 'it refuses our account'}${named}`;
  return { problem, isCap: words === CAP };
}

function readVerdict(answer: OutgoingAnswer): IngestBody | undefined {
  const body = readBody(jsonObject, answer);
  if (typeof body?.status !== 'string') return undefined;
  const textOf = (...values: unknown[]) => {
    const value = values.find((one) => one !== undefined && one !== null && one !== '');
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  return {
    status: body.status.trim().toUpperCase(),
    code: textOf(body.code, body.error_code),
    message: textOf(body.message),
    id: textOf(body.id, body.lead_id),
    price: dollars(textOf(body.price, body.payout)),
  };
}

/** Returns a price above zero in US dollars; undefined if the text is not one. */
function dollars(text: string | undefined): number | undefined {
  const isPrice = text !== undefined && /^\$?\d{1,6}(\.\d{1,4})?$/.test(text.trim());
  const price = isPrice ? Number(text.trim().replace('$', '')) : 0;
  return price > 0 ? price : undefined;
}

/** Returns a message such as `DUPLICATED 1008: Duplicate lead`. */
function sentence({ status, code, message }: IngestBody, secrets: readonly string[]): string {
  const said = `${status}${code === undefined ? '' : ` ${code}`}${message === undefined ? '' : `: ${message}`}`;
  return excerpt(said, secrets).slice(0, 500);
}
