/** Stand-ins for smaller services (docs/specification.md#calls-of-the-server). */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { impersonalLeadFields, leadFields } from '../ingest-fields.ts';
import {
  filledText,
  ipAddress,
  matching,
  refuse,
  reply,
  type StandIn,
  takes,
  zipCode,
} from '../service.ts';

/** Creates a stand-in that answers JSON requests at one path. */
function lookup<S extends v.GenericSchema>(
  name: string,
  setting: (url: string) => Record<string, string>,
  path: string,
  schema: S,
  answer: (value: v.InferOutput<S>) => unknown,
): StandIn {
  const handle = takes('json', schema, (value) => reply(answer(value)));
  return { name, settings: setting, routes: { [`POST /${path}`]: handle } };
}

const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));
const anyJson = v.union([v.string(), v.record(v.string(), v.any()), v.array(v.any())]);

const buyer = (name: string, ...ids: string[]) => ({ name, ids });
const selectedBuyers = [
  buyer('Sandbox Law Group', '50001'),
  buyer('Example Injury Attorneys', '50002'),
];
const allPossibleBuyers = [...selectedBuyers, buyer('Demo Legal Partners', '50003', '50004')];
/** Zip codes for which the buyers service returns no buyers. */
const zipsWithoutBuyers: readonly unknown[] = ['99950', '20001', '35004'];

const prefill: StandIn = {
  name: 'prefill',
  settings: (url) => ({ PREFILL_URL: url }),
  routes: {
    'GET /check-affid-pre/:affid/:percentage'({ params: { affid = '', percentage = '' }, query }) {
      const isValid = /^\d+$/.test(affid) && /^(\d|[1-9]\d|100)$/.test(percentage);
      if (!isValid || query.size > 0) {
        return refuse('path: expected digits and 0 to 100', { status: 400, body: {} });
      }
      const share = createHash('sha256').update(affid).digest().readUInt32BE(0) % 100;
      return reply({ result: share < Number(percentage) ? 'yes' : 'no' });
    },
  },
};

const { lpCampaignId, lpSupplierId, lpKey } = credentials;

export const standIns: readonly StandIn[] = [
  prefill,
  lookup(
    'mapping',
    (url) => ({ MAPPING_URL: url }),
    'inbound/get-mappings',
    v.strictObject({ affid: wholeNumber, oid: wholeNumber }),
    () => ({ lp_campaign_id: lpCampaignId, lp_supplier_id: lpSupplierId, lp_key: lpKey }),
  ),
  lookup(
    'buyers',
    (url) => ({ BUYERS_URL: url }),
    'buyers/get-available',
    v.strictObject({
      ...leadFields,
      zip_code: zipCode,
      oid: matching(/^\d+$/, 'digits'),
      affid: filledText,
      sub_id: filledText,
      ef_transaction_id: filledText,
    }),
    ({ zip_code }) =>
      zipsWithoutBuyers.includes(zip_code)
        ? { selectedBuyers: [], allPossibleBuyers: [] }
        : { selectedBuyers, allPossibleBuyers },
  ),
  // The estimate service refuses contact details, because an estimate needs no contact details.
  lookup(
    'estimate',
    (url) => ({ ESTIMATE_URL: url }),
    'estimated-settlement-value',
    v.strictObject(impersonalLeadFields),
    // The sandbox always returns level 5 or 2 of the seven levels
    // (docs/specification.md#compensation-estimator).
    ({ physical_injury }) => ({ compLevel: physical_injury === 'Yes' ? 5 : 2 }),
  ),
  lookup(
    'save-data',
    (url) => ({ SAVE_DATA_URL: url }),
    'api/save-data',
    v.strictObject({ session: anyJson, data: anyJson }),
    () => ({ userBackupStatus: true, userProgressionStatus: true }),
  ),
  // The brief does not describe the verification service, so we chose its path and its answer.
  lookup(
    'verification',
    (url) => ({ VERIFICATION_URL: `${url}/lead-verification` }),
    'lead-verification',
    v.strictObject({
      zip_code: zipCode,
      ip_address: ipAddress,
      user_agent: v.string(),
      trusted_form_cert_id: v.string(),
      leadid_token: v.string(),
    }),
    () => ({ status: 'ok' }),
  ),
];
