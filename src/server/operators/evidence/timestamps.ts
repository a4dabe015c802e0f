/** Asks a time-stamp service to confirm when a pack was made (RFC 3161). It learns a hash, and nothing else. */
import { randomBytes } from 'node:crypto';
import { type Bytes, equal } from '../../../evidence/bytes.ts';
import { readTimestamp, timestampQuery } from '../../../evidence/timestamp.ts';
import type { DestinationDefinition } from '../../destinations/destination.ts';

const TIMEOUT_MS = 5_000;
const NONCE_BYTES = 8;

export type OutgoingHttp = Parameters<DestinationDefinition['connect']>[1];

/** Returns a time stamp that verifies. @throws if the service gives none */
export async function requestTimestamp(
  http: OutgoingHttp,
  url: string,
  signed: Bytes,
): Promise<Bytes> {
  const nonce = Uint8Array.from(randomBytes(NONCE_BYTES));
  // A number that is neither negative nor begins with zeros.
  nonce[0] = 0x40 | ((nonce[0] as number) & 0x3f);
  const answer = await http.request({
    ...{ method: 'POST', url, timeoutMs: TIMEOUT_MS, isBinary: true },
    headers: { 'content-type': 'application/timestamp-query' },
    body: Buffer.from(await timestampQuery(signed, nonce)).toString('latin1'),
  });
  if (answer.status !== 200)
    throw new Error(`the time-stamp service answers HTTP ${answer.status}`);
  const stamp = Uint8Array.from(Buffer.from(answer.text, 'latin1'));
  const read = await readTimestamp(stamp, signed);
  if (!read.nonce || !equal(read.nonce, nonce)) throw new Error('the time stamp is an older one');
  return stamp;
}
