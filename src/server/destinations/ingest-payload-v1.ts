/**
 * Version 1 of the payload for the lead-ingest service (Lead Prosper). Never edit a version that leads were sent
 * with; add a new version in a new file.
 */

/** The service's limit for sub ids, in characters. */
export const MAX_SUB_ID_LENGTH = 75;

/** Names that only we may set. A lead's fields must not override the credentials. */
const OURS: ReadonlySet<string> = new Set([
  'lp_campaign_id',
  'lp_supplier_id',
  'lp_key',
  'lp_action',
  'lead_id',
]);

const SUB_ID = /^(lp_subid\d*|sub_id\d*)$/;

export type IngestCredentials = {
  campaignId: string;
  supplierId: string;
  /** Secret. */
  key: string;
};

export type IngestPayload = Readonly<Record<string, string | number | boolean>>;

/**
 * Returns the JSON object to post: credentials, our `lead_id`, `lp_action: "test"` for a test lead, and every
 * outgoing field. The phone has 10 digits, and sub ids are cut to 75 characters. The service's fields are flat,
 * so null becomes an empty string, and lists and objects become JSON text.
 *
 * See docs/specification.md#ingest and docs/specification.md#fields-added-at-submit.
 */
export function ingestPayloadV1(lead: {
  leadId: string;
  isTest: boolean;
  fields: Readonly<Record<string, unknown>>;
  credentials: IngestCredentials;
}): IngestPayload {
  const { leadId, isTest, fields, credentials } = lead;
  const payload: Record<string, string | number | boolean> = {
    lp_campaign_id: credentials.campaignId,
    lp_supplier_id: credentials.supplierId,
    lp_key: credentials.key,
    lead_id: leadId,
  };
  if (isTest) payload.lp_action = 'test';
  for (const [name, value] of Object.entries(fields)) {
    if (OURS.has(name)) continue;
    payload[name] = wireValue(name, value);
  }
  return payload;
}

function wireValue(name: string, value: unknown): string | number | boolean {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  if (name === 'phone') return tenDigits(String(value));
  if (SUB_ID.test(name)) return [...String(value)].slice(0, MAX_SUB_ID_LENGTH).join('');
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

/** Returns the digits of a number, without the country code 1. */
function tenDigits(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}
