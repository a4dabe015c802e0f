import { leadProsperDestination } from './lead-prosper.ts';
import { ingestPayloadV1, ingestPayloadV2 } from './lead-prosper-payload.ts';

/** The destination `ingest`: every lead of surveys with `deliversToIngest` (docs/specification.md#ingest). */
export const ingest = leadProsperDestination({
  name: 'ingest',
  title: 'the lead-ingest service (Lead Prosper)',
  prefix: 'INGEST',
  addressSetting: 'INGEST_URL',
  surveyColumn: 'deliversToIngest',
  waitsForChoice: true,
  payloads: { 1: ingestPayloadV1, 2: ingestPayloadV2 },
  verifiedPayloadVersion: 2,
  usesMappedAccounts: true,
});
