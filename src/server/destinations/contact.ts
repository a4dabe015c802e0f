import { leadProsperDestination } from './lead-prosper.ts';
import { contactPayloadV1 } from './lead-prosper-payload.ts';

/** The destination `contact`: every lead of the contact form (docs/specification.md#contact-form). */
export const contact = leadProsperDestination({
  name: 'contact',
  title: 'the lead-ingest service of the contact form (Lead Prosper)',
  prefix: 'CONTACT',
  addressSetting: 'CONTACT_INGEST_URL',
  takes: 'contact',
  payloads: { 1: contactPayloadV1 },
  usesMappedAccounts: false,
});
