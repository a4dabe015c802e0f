/** Version 2 of the payload for the lead-ingest service. Never edit a version that leads were sent with. */
import { type IngestPayload, ingestPayloadV1 } from './ingest-payload-v1.ts';

/** Adds the answer of the pre-submit verification to version 1, as JSON text (docs/specification.md#ingest). */
export function ingestPayloadV2(
  lead: Parameters<typeof ingestPayloadV1>[0] & {
    readonly verification?: Readonly<Record<string, unknown>> | undefined;
  },
): IngestPayload {
  return { ...ingestPayloadV1(lead), verification: JSON.stringify(lead.verification ?? {}) };
}
