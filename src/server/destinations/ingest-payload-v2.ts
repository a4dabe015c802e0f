/**
 * Version 2 of what the lead-ingest service is sent: version 1, and what the pre-submit verification
 * said of the lead, as JSON text. Never edited once leads were sent with it.
 */
import { type IngestPayload, ingestPayloadV1 } from './ingest-payload-v1.ts';

/** The payload of version 1 with `verification` (the name is ours; docs/specification.md#ingest). */
export function ingestPayloadV2(
  lead: Parameters<typeof ingestPayloadV1>[0] & {
    readonly verification?: Readonly<Record<string, unknown>> | undefined;
  },
): IngestPayload {
  return { ...ingestPayloadV1(lead), verification: JSON.stringify(lead.verification ?? {}) };
}
