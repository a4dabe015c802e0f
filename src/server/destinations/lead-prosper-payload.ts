/**
 * The payloads for the lead-ingest service (Lead Prosper), by destination and version. Never edit a version that
 * leads were sent with; add a new one.
 */
import type { IngestAccount } from '../../domain/ingest-account.ts';

/** The service's limit for sub ids, in characters. */
const MAX_SUB_ID_LENGTH = 75;

/** Names that only we may set. A lead's fields must not override the credentials. */
const OURS: ReadonlySet<string> = new Set([
  'lp_campaign_id',
  'lp_supplier_id',
  'lp_key',
  'lp_action',
  'lead_id',
]);

const SUB_ID = /^(lp_subid\d*|sub_id\d*)$/;

/** A lead and the account that sends it. */
export type IngestLead = {
  readonly leadId: string;
  readonly isTest: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly credentials: IngestAccount;
  /** The answer of the pre-submit verification. */
  readonly verification?: Readonly<Record<string, unknown>> | undefined;
};

export type IngestPayload = Readonly<Record<string, string | number | boolean>>;

/**
 * Builds version 1 for survey leads: credentials, our `lead_id`, `lp_action: "test"` for a test
 * lead, and every outgoing field. The phone has 10 digits, and sub ids are cut to 75 characters.
 * The service's fields are flat, so null becomes an empty string, and lists and objects become JSON
 * text. See docs/specification.md#ingest and docs/specification.md#fields-added-at-submit.
 */
export function ingestPayloadV1(lead: IngestLead): IngestPayload {
  return payloadOf(lead, surveyValue);
}

/**
 * Builds version 2, which adds the answer of the verification, as JSON text
 * (docs/specification.md#ingest).
 */
export function ingestPayloadV2(lead: IngestLead): IngestPayload {
  return { ...ingestPayloadV1(lead), verification: JSON.stringify(lead.verification ?? {}) };
}

/**
 * Builds version 1 for leads of the contact form: the phone's digits, the rest as text
 * (docs/specification.md#contact-form).
 */
export function contactPayloadV1(lead: IngestLead): IngestPayload {
  return payloadOf(lead, (name, value) => {
    const text = String(value ?? '');
    return name === 'phone' ? text.replace(/\D/g, '') : text;
  });
}

function payloadOf(
  { leadId, isTest, fields, credentials }: IngestLead,
  wireValue: (name: string, value: unknown) => string | number | boolean,
): IngestPayload {
  const ofLead = Object.entries(fields).filter(([name]) => !OURS.has(name));
  return {
    lp_campaign_id: credentials.campaignId,
    lp_supplier_id: credentials.supplierId,
    lp_key: credentials.key,
    lead_id: leadId,
    ...(isTest && { lp_action: 'test' }),
    ...Object.fromEntries(ofLead.map(([name, value]) => [name, wireValue(name, value)])),
  };
}

function surveyValue(name: string, value: unknown): string | number | boolean {
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
