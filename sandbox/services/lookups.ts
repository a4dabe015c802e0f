/** The smaller services, whose contracts are the specification's own (docs/specification.md#calls-of-the-server). */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { impersonalLeadFields, leadFields } from '../lead-fields.ts';
import { ipAddress, judgeJson, refuse, reply, type Service, type StandIn } from '../service.ts';

/** Returns a service that takes JSON at one path. `setting` is that of its address, which ends before `path`. */
function lookup<S extends v.GenericSchema>(about: {
  readonly name: string;
  readonly title: string;
  readonly setting: string;
  /** The part of the path that belongs to the setting. Default: none. */
  readonly base?: string;
  readonly path: string;
  readonly schema: S;
  readonly answer: (value: v.InferOutput<S>) => unknown;
}): Service {
  const { name, title, setting, base = '', path, schema, answer } = about;
  const handle = judgeJson(schema, (value) => reply(answer(value)));
  return {
    name,
    title,
    settings: (url) => ({ [setting]: url + base }),
    routes: [{ method: 'POST', path: base + path, handle }],
  };
}

const digits = (expected: string, regex: RegExp) => v.pipe(v.string(), v.regex(regex, expected));
const zipCode = digits('expected 5 digits', /^\d{5}$/);
const filled = v.pipe(v.string(), v.nonEmpty('empty'));
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));
const anyJson = v.union([v.string(), v.record(v.string(), v.any()), v.array(v.any())]);

const buyer = (name: string, ...ids: string[]) => ({ name, ids });
const selectedBuyers = [
  buyer('Sandbox Law Group', '50001'),
  buyer('Example Injury Attorneys', '50002'),
];
const allPossibleBuyers = [...selectedBuyers, buyer('Demo Legal Partners', '50003', '50004')];
/** In Alaska, and in two places on the exclusion list (DC, AL; docs/specification.md#buyers). */
const zipsWithoutBuyers: readonly unknown[] = ['99950', '20001', '35004'];

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
 * Imitates the prefill service: `GET /check-affid-pre/{affid}/{percentage}`: `{result: "yes" | "no"}`. For a percentage,
 * an affiliate always gets the same answer; 0 is always no, 100 always yes.
 */
const prefill: StandIn = () => ({
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
});

export const standIns: readonly StandIn[] = [
  // Returns the ingest credentials to use.
  ({ credentials: { lpCampaignId, lpSupplierId, lpKey } }) =>
    lookup({
      name: 'mapping',
      title: 'Campaign mapping',
      setting: 'MAPPING_URL',
      path: '/inbound/get-mappings',
      schema: v.strictObject({ affid: wholeNumber, oid: wholeNumber }),
      answer: () => ({ lp_campaign_id: lpCampaignId, lp_supplier_id: lpSupplierId, lp_key: lpKey }),
    }),
  // Takes the lead's fields; the zip code and the click's ids are required.
  () =>
    lookup({
      name: 'buyers',
      title: 'Available buyers',
      setting: 'BUYERS_URL',
      path: '/buyers/get-available',
      schema: v.strictObject({
        ...leadFields,
        zip_code: zipCode,
        oid: digits('expected digits', /^\d+$/),
        affid: filled,
        sub_id: filled,
        ef_transaction_id: filled,
      }),
      answer: ({ zip_code }) =>
        zipsWithoutBuyers.includes(zip_code)
          ? { selectedBuyers: [], allPossibleBuyers: [] }
          : { selectedBuyers, allPossibleBuyers },
    }),
  prefill,
  // Refuses contact details, which an estimate does not need. Payload and path are ours.
  () =>
    lookup({
      name: 'estimate',
      title: 'Estimated settlement value',
      setting: 'ESTIMATE_URL',
      path: '/estimated-settlement-value',
      schema: v.strictObject(impersonalLeadFields),
      answer: (fields) => ({ compLevel: compensationLevel(fields) }),
    }),
  // Receives progress (docs/specification.md#saving-progress).
  () =>
    lookup({
      name: 'save-data',
      title: 'Progress backup',
      setting: 'SAVE_DATA_URL',
      path: '/api/save-data',
      schema: v.strictObject({ session: anyJson, data: anyJson }),
      answer: () => ({ userBackupStatus: true, userProgressionStatus: true }),
    }),
  // Path and answer are ours (docs/specification.md#submit-sequence).
  () =>
    lookup({
      name: 'verification',
      title: 'Pre-submit verification',
      setting: 'VERIFICATION_URL',
      base: '/lead-verification',
      path: '',
      schema: v.strictObject({
        zip_code: zipCode,
        ip_address: ipAddress,
        user_agent: v.string(),
        trusted_form_cert_id: v.string(),
        leadid_token: v.string(),
      }),
      answer: () => ({ status: 'ok' }),
    }),
];
