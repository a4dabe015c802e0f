/**
 * What an answer of the lead-ingest service (Lead Prosper) means, as a `SendOutcome`. Pure.
 *
 * The service answers 2xx also when it refuses, so the body decides: `status` ACCEPTED, DUPLICATED or
 * ERROR, `code` or `error_code`, `message`, `id` or `lead_id`. There is no idempotency key; that the
 * service recognises a lead it has is what makes it safe to send again after an answer that was lost.
 */

import { excerpt, type OutgoingAnswer } from '../providers/outgoing-http.ts';
import type { SendResult } from './destination.ts';
import { readStatus } from './http-send.ts';

type IngestBody = { status: string; code?: string; message?: string; id?: string };

/**
 * The meaning of an answer. ACCEPTED is `delivered`, DUPLICATED `duplicate`, ERROR `rejected`; any other
 * 4xx `failed`; 408, 425, 429, 503 and a redirect `retry`; other 5xx and an unreadable 2xx `unknown`.
 *
 * @param secrets what is taken out of what is kept of the answer
 */
export function classifyIngestAnswer(
  answer: OutgoingAnswer,
  now: Date,
  secrets: readonly string[] = [],
): SendResult {
  const byStatus = readStatus(answer, { now, secrets });
  if (byStatus.outcome === 'retry' || byStatus.outcome === 'unknown') return byStatus;
  const { status, text, truncated } = answer;
  const { outcome: _, error: __, ...result } = byStatus;

  const body = truncated ? undefined : readBody(text);
  const said = body === undefined ? undefined : sentence(body, secrets);
  const about = {
    ...(said === undefined ? {} : { message: said }),
    ...(body?.id === undefined ? {} : { externalId: excerpt(body.id, secrets).slice(0, 200) }),
  };
  const isSuccess = status >= 200 && status < 300;
  if (body?.status === 'ACCEPTED' && isSuccess) {
    return { ...result, ...about, outcome: 'delivered' };
  }
  if (body?.status === 'DUPLICATED') return { ...result, ...about, outcome: 'duplicate' };
  if (body?.status === 'ERROR') return { ...result, ...about, outcome: 'rejected' };
  if (isSuccess) {
    const error = `HTTP ${status} with an answer that cannot be read`;
    return { ...result, outcome: 'unknown', error };
  }
  return byStatus;
}

function readBody(text: string): IngestBody | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const body = parsed as Record<string, unknown>;
  if (typeof body.status !== 'string') return undefined;
  const optional = (name: 'code' | 'message' | 'id', ...values: unknown[]) => {
    const value = values.find((one) => one !== undefined && one !== null && one !== '');
    if (typeof value === 'string' || typeof value === 'number') return { [name]: String(value) };
    return {};
  };
  return {
    status: body.status.trim().toUpperCase(),
    ...optional('code', body.code, body.error_code),
    ...optional('message', body.message),
    ...optional('id', body.id, body.lead_id),
  };
}

/** `DUPLICATED 1008: Duplicate lead` */
function sentence(body: IngestBody, secrets: readonly string[]): string {
  const code = body.code === undefined ? '' : ` ${body.code}`;
  const message = body.message === undefined ? '' : `: ${body.message}`;
  return excerpt(`${body.status}${code}${message}`, secrets).slice(0, 500);
}
