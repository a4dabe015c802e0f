import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { campaignFields, contactCampaignFields } from '../ingest-fields.ts';
import { read } from '../requests.ts';
import { type Answer, type Exchange, refuse, type StandIn } from '../service.ts';

/**
 * The codes with which Lead Prosper rejects a lead. We chose all codes except 1015, because Lead
 * Prosper's list is not public.
 */
const codes = {
  accepted: 0,
  notJson: 1001,
  credentials: 1002,
  closed: 1003,
  cap: 1004,
  duplicate: 1008,
  invalid: 1015,
};

/** Returns Lead Prosper's answer, which has status 200 even for a rejection. */
function answerOf(
  status: 'ACCEPTED' | 'DUPLICATED' | 'ERROR',
  code: number,
  message: string,
): Answer {
  const id = randomBytes(15).toString('base64url');
  return { status: 200, body: { id, status, code, message } };
}

const failed = (code: number, message: string) => ({ status: 'ERROR', code, message });

const failureBodies = {
  '500': failed(500, 'Internal server error'),
  '429': failed(429, 'Too many requests'),
  credentials: failed(codes.credentials, 'Error: invalid campaign credentials'),
  account_closed: failed(codes.closed, 'Error: campaign is closed'),
  cap_reached: failed(codes.cap, 'Error: supplier daily cap reached'),
  duplicate: { status: 'DUPLICATED', code: codes.duplicate, message: 'Duplicate lead' },
};

const credential = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.trim());
const accountSchema = v.object({
  lp_campaign_id: credential,
  lp_supplier_id: credential,
  lp_key: credential,
});

/** Creates the stand-in for one campaign of Lead Prosper. */
function campaign(
  name: 'ingest' | 'contact',
  urlSetting: string,
  account: v.InferOutput<typeof accountSchema>,
  fields: Record<string, v.GenericSchema>,
): StandIn {
  const base = name === 'ingest' ? '' : '/contact';
  const schema = v.strictObject(fields);
  const settings = (url: string) => ({
    [urlSetting]: url + base,
    [`${name.toUpperCase()}_CAMPAIGN_ID`]: account.lp_campaign_id,
    [`${name.toUpperCase()}_SUPPLIER_ID`]: account.lp_supplier_id,
    [`${name.toUpperCase()}_KEY`]: account.lp_key,
    ...(name === 'ingest' && { INGEST_WITH_VERIFICATION: 'on' }),
  });
  function judge(exchange: Exchange): Answer {
    const named = read('json', accountSchema, exchange);
    const wrong = named.ok
      ? Object.entries(named.value).filter(
          ([key, value]) => account[key as keyof typeof account] !== value,
        )
      : [];
    if (wrong.length > 0) {
      const breaches = wrong.map(([key]) => `${key}: wrong`);
      const message = failureBodies.credentials.message;
      return refuse(breaches, answerOf('ERROR', codes.credentials, message));
    }
    const lead = read('json', schema, exchange);
    if (!lead.ok) {
      const unreadable = lead.violations.some((one) => /^(content-type|body):/.test(one));
      const code = unreadable ? codes.notJson : codes.invalid;
      const message = `Error: lead failed validation: ${lead.violations.join('; ')}`;
      return refuse(lead.violations, answerOf('ERROR', code, message));
    }
    const { lp_key: _, ...detail } = lead.value as Record<string, string | number | boolean>;
    const field = (of: string) => String(detail[of] ?? '').trim();
    const contact = `${field('phone')} ${field('email').toLowerCase()}`;
    const key = field('lead_id') || contact;
    const space = field('lp_action') === 'test' ? 'test ' : '';
    const isNew = exchange.effect({ keys: [space + key, space + contact], detail });
    const answer = isNew
      ? answerOf('ACCEPTED', codes.accepted, 'Lead accepted')
      : answerOf('DUPLICATED', codes.duplicate, 'Duplicate lead');
    return { ...answer, key };
  }
  return { name, settings, failureBodies, routes: { [`POST ${base}/ingest`]: judge } };
}

const { lpCampaignId, lpSupplierId, lpKey } = credentials;
const account = { lp_campaign_id: lpCampaignId, lp_supplier_id: lpSupplierId, lp_key: lpKey };
const contactAccount = {
  lp_campaign_id: '10002',
  lp_supplier_id: '20002',
  lp_key: 'sandbox-contact-key',
};

export const standIns: readonly StandIn[] = [
  campaign('ingest', 'INGEST_URL', account, campaignFields),
  campaign('contact', 'CONTACT_INGEST_URL', contactAccount, contactCampaignFields),
];
