/**
 * Version 1 of what the contact form's lead-ingest service is sent. Never edited once leads were sent with
 * it: a change of meaning is a new version in a new file.
 */
import type { IngestCredentials, IngestPayload } from './ingest-payload-v1.ts';

/** Credentials travel in the body; no field of the lead may name them. */
const OURS: ReadonlySet<string> = new Set([
  'lp_campaign_id',
  'lp_supplier_id',
  'lp_key',
  'lp_action',
  'lead_id',
]);

/**
 * Credentials, our `lead_id`, and the lead as it is stored: `type_of_accident`, `first_name`, `last_name`,
 * `email`, `phone` (digits only), `message`, and what the page knew besides
 * (docs/specification.md#contact-form). `lp_action: "test"` for a test lead.
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
