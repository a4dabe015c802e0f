import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { impersonalLeadFields, leadFields } from '../lead-fields.ts';
import {
  ipAddress,
  judgeJson,
  refuse,
  reply,
  type SandboxContext,
  type Service,
  type StandIn,
} from '../service.ts';

/**
 * Returns one of the smaller services, whose contracts are the specification's own
 * (docs/specification.md#calls-of-the-server). All take JSON.
 */
function lookup<S extends v.GenericSchema>(
  name: string,
  title: string,
  path: string,
  settings: Service['settings'],
  schema: S,
  answer: (value: v.InferOutput<S>) => unknown,
): Service {
  const handle = judgeJson(schema, (value) => reply(answer(value)));
  return { name, title, settings, routes: [{ method: 'POST', path, handle }] };
}

/**
 * Imitates the mapping service: `POST /inbound/get-mappings` with the numbers `affid` and `oid`
 * returns the ingest credentials to use.
 */
function mappingService(context: SandboxContext): Service {
  const number = v.pipe(v.number(), v.integer(), v.minValue(0));
  const { lpCampaignId, lpSupplierId, lpKey } = context.credentials;
  const schema = v.strictObject({ affid: number, oid: number });
  return lookup(
    'mapping',
    'Campaign mapping',
    '/inbound/get-mappings',
    (url) => ({ MAPPING_URL: url }),
    schema,
    () => ({
      lp_campaign_id: lpCampaignId,
      lp_supplier_id: lpSupplierId,
      lp_key: lpKey,
    }),
  );
}

const buyer = (name: string, ...ids: string[]) => ({ name, ids });

/**
 * Zip codes without buyers: in Alaska, and in two places on the exclusion list (DC, AL;
 * docs/specification.md#buyers).
 */
const zipsWithoutBuyers: readonly unknown[] = ['99950', '20001', '35004'];

/**
 * Imitates the buyers service: `POST /buyers/get-available` with the lead's fields; `zip_code` and
 * the click's ids are required. Returns `selectedBuyers` and `allPossibleBuyers`, each with name
 * and ids. Some zip codes have no buyers.
 */
function buyersService(context: SandboxContext): Service {
  const extra = Object.fromEntries(
    context.extraLeadFields.map((name) => [name, v.optional(v.any())]),
  );
  const schema = v.strictObject({
    ...leadFields,
    ...extra,
    zip_code: v.pipe(v.string(), v.regex(/^\d{5}$/, 'expected 5 digits')),
    oid: v.pipe(v.string(), v.regex(/^\d+$/, 'expected digits')),
    affid: v.pipe(v.string(), v.nonEmpty('empty')),
    sub_id: v.pipe(v.string(), v.nonEmpty('empty')),
    ef_transaction_id: v.pipe(v.string(), v.nonEmpty('empty')),
  });
  const selected = [
    buyer('Sandbox Law Group', '50001'),
    buyer('Example Injury Attorneys', '50002'),
  ];
  const possible = [...selected, buyer('Demo Legal Partners', '50003', '50004')];
  return lookup(
    'buyers',
    'Available buyers',
    '/buyers/get-available',
    (url) => ({ BUYERS_URL: url }),
    schema,
    ({ zip_code }) =>
      zipsWithoutBuyers.includes(zip_code)
        ? { selectedBuyers: [], allPossibleBuyers: [] }
        : { selectedBuyers: selected, allPossibleBuyers: possible },
  );
}

/**
 * Imitates the prefill service: `GET /check-affid-pre/{affid}/{percentage}`: `{result: "yes" |
 * "no"}`. For a percentage, an affiliate always gets the same answer; 0 is always no, 100 always
 * yes.
 */
function prefillService(): Service {
  return {
    name: 'prefill',
    title: 'Prefill check',
    settings: (url) => ({ PREFILL_URL: url }),
    routes: [
      {
        method: 'GET',
        path: '/check-affid-pre/:affid/:percentage',
        handle({ params: { affid = '', percentage = '' }, query }) {
          const errors = [
            ...(/^\d+$/.test(affid) ? [] : ['affid: expected a number']),
            ...(/^(\d|[1-9]\d|100)$/.test(percentage) ? [] : ['percentage: expected 0 to 100']),
            ...(query.size === 0 ? [] : ['query: expected none']),
          ];
          if (errors.length > 0) return refuse(errors, { status: 400, body: { errors } });
          const share = createHash('sha256').update(affid).digest().readUInt32BE(0) % 100;
          return reply({ result: share < Number(percentage) ? 'yes' : 'no' });
        },
      },
    ],
  };
}

/** Returns a plausible level for a case, 1 to 7 (labels: docs/specification.md#compensation-estimator). */
function compensationLevel(fields: Record<string, unknown>): number {
  const severe = ['Spinal Cord Injury', 'Loss of Limb', 'Head Injury'];
  const points = [
    fields.physical_injury === 'Yes',
    /^yes$/i.test(String(fields.doctor_treatment ?? '')),
    fields.at_Fault === 'no',
    severe.includes(String(fields.specific_injury ?? '')) ? 2 : 0,
    fields.with_Lawyer === 'no',
  ];
  return 1 + points.reduce<number>((sum, point) => sum + Number(point), 0);
}

/**
 * Imitates the estimate of a settlement's value: `POST /estimated-settlement-value` with fields of
 * the case; answers `{compLevel}` 1 to 7. Payload and path are ours. It refuses contact details,
 * which an estimate does not need.
 */
function estimateService(): Service {
  const schema = v.strictObject(impersonalLeadFields);
  const path = '/estimated-settlement-value';
  return lookup(
    'estimate',
    'Estimated settlement value',
    path,
    (url) => ({ ESTIMATE_URL: url }),
    schema,
    (fields) => ({
      compLevel: compensationLevel(fields),
    }),
  );
}

/**
 * Imitates the receiver of progress: `POST /api/save-data` with `session` and `data`
 * (docs/specification.md#saving-progress).
 */
function saveDataService(): Service {
  const some = v.union([v.string(), v.record(v.string(), v.any()), v.array(v.any())]);
  const schema = v.strictObject({ session: some, data: some });
  return lookup(
    'save-data',
    'Progress backup',
    '/api/save-data',
    (url) => ({ SAVE_DATA_URL: url }),
    schema,
    () => ({
      userBackupStatus: true,
      userProgressionStatus: true,
    }),
  );
}

/**
 * Imitates the pre-submit verification: `POST /lead-verification` with `zip_code`, `ip_address`,
 * `user_agent`, `trusted_form_cert_id`, `leadid_token` (docs/specification.md#submit-sequence; path
 * and answer are ours).
 */
function verificationService(): Service {
  const schema = v.strictObject({
    zip_code: v.pipe(v.string(), v.regex(/^\d{5}$/, 'expected 5 digits')),
    ip_address: ipAddress,
    user_agent: v.string(),
    trusted_form_cert_id: v.string(),
    leadid_token: v.string(),
  });
  return lookup(
    'verification',
    'Pre-submit verification',
    '/lead-verification',
    (url) => ({ VERIFICATION_URL: `${url}/lead-verification` }),
    schema,
    () => ({
      status: 'ok',
    }),
  );
}

export const standIns: readonly StandIn[] = [
  mappingService,
  buyersService,
  prefillService,
  estimateService,
  saveDataService,
  verificationService,
];
