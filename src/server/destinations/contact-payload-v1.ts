/**
 * Version 1 of the payload for the contact form's lead-ingest service. Never edit a version that leads were sent
 * with; add a new version in a new file.
 */
import type { IngestCredentials, IngestPayload } from './ingest-payload-v1.ts';

/** Names that only we may set. A lead's fields must not override the credentials. */
const OURS: ReadonlySet<string> = new Set([
  'lp_campaign_id',
  'lp_supplier_id',
  'lp_key',
  'lp_action',
  'lead_id',
]);

/**
 * Returns the JSON object to post: credentials, our `lead_id`, and the stored fields of the lead, with only the
 * digits of the phone (docs/specification.md#contact-form). Test leads get `lp_action: "test"`.
 */
export function contactPayloadV1(lead: {
  leadId: string;
  isTest: boolean;
  fields: Readonly<Record<string, unknown>>;
  credentials: IngestCredentials;
}): IngestPayload {
  const { leadId, isTest, fields, credentials } = lead;
  const payload: Record<string, string> = {
    lp_campaign_id: credentials.campaignId,
    lp_supplier_id: credentials.supplierId,
    lp_key: credentials.key,
    lead_id: leadId,
    ...(isTest && { lp_action: 'test' }),
  };
  for (const [name, value] of Object.entries(fields)) {
    if (OURS.has(name)) continue;
    const text = String(value ?? '');
    payload[name] = name === 'phone' ? text.replace(/\D/g, '') : text;
  }
  return payload;
}
