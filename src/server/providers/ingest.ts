/** The lead-ingest service (Lead Prosper): `POST {INGEST_URL}/ingest`. */
import type { Destination } from '../leads/destination.ts';
import { classifyIngestAnswer, classifyIngestFailure } from './ingest-answer.ts';
import {
  type IngestCredentials,
  type IngestPayload,
  ingestPayloadV1,
} from './ingest-payload-v1.ts';
import { OutgoingError, type OutgoingHttp } from './outgoing-http.ts';

/** The service is known to take 20 to 30 seconds now and then. */
export const INGEST_TIMEOUT_MS = 30_000;
/** The payload version that new leads get. */
export const INGEST_PAYLOAD_VERSION = 1;

export type IngestOptions = {
  http: OutgoingHttp;
  /** Setting INGEST_URL: the base address; `/ingest` is appended. */
  baseUrl: string;
  credentials: IngestCredentials;
  timeoutMs?: number;
  now?: () => Date;
};

/** The destination `ingest`. */
export type IngestDestination = Destination & {
  readonly name: 'ingest';
  /** It answers DUPLICATED to a lead that it has, so sending again after a lost answer is safe. */
  readonly recognisesDuplicates: true;
  readonly payloadVersion: number;
  readonly timeoutMs: number;
};

/** @throws when `baseUrl` is no address of http or https. */
export function createIngest(options: IngestOptions): IngestDestination {
  const {
    http,
    baseUrl,
    credentials,
    timeoutMs = INGEST_TIMEOUT_MS,
    now = () => new Date(),
  } = options;
  const url = ingestUrl(baseUrl);
  return {
    name: 'ingest',
    recognisesDuplicates: true,
    payloadVersion: INGEST_PAYLOAD_VERSION,
    timeoutMs,
    async send({ leadId, isTest, fields, payloadVersion, account = credentials, signal }) {
      const payload = payloads[payloadVersion]?.({ leadId, isTest, fields, credentials: account });
      if (payload === undefined) {
        const error = `Payload version ${payloadVersion} is not known to this server`;
        return { outcome: 'failed', error, durationMs: 0 };
      }
      try {
        const answer = await http.request({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(payload),
          timeoutMs,
          ...(signal === undefined ? {} : { signal }),
        });
        return classifyIngestAnswer(answer, now(), [account.key, credentials.key]);
      } catch (error) {
        if (error instanceof OutgoingError) return classifyIngestFailure(error);
        throw error;
      }
    },
  };
}

const payloads: Readonly<
  Record<number, ((lead: Parameters<typeof ingestPayloadV1>[0]) => IngestPayload) | undefined>
> = { 1: ingestPayloadV1 };

function ingestUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol))
    throw new Error('INGEST_URL is not an address of http or https');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/ingest`;
  return url.href;
}
