import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { campaignFields, contactCampaignFields } from '../lead-fields.ts';
import {
  type Answer,
  act,
  type Exchange,
  refuse,
  type SandboxContext,
  type Service,
  type StandIn,
  type Verdict,
} from '../service.ts';
import { readJson } from '../strict-body.ts';

/** Rejections also come with HTTP 200. */
type Status = 'ACCEPTED' | 'DUPLICATED' | 'ERROR';

/** 1015 is the vendor's "failed validation". The vendor's list is not public, so the rest is ours. */
const codes = {
  accepted: 0,
  notJson: 1001,
  credentials: 1002,
  closed: 1003,
  cap: 1004,
  duplicate: 1008,
  invalid: 1015,
};

/** Returns the answer to a refused account. */
const accountError = (code: number, message: string) => ({ status: 'ERROR', code, message });

/** Makes a record id in the vendor's form. */
const recordId = () => randomBytes(15).toString('base64url');

/**
 * Makes the vendor's answer. The older `/ingest` calls the number `code`; the newer `/direct_post` calls it
 * `error_code` in a refusal. A client has to read both.
 */
function say(path: string, status: Status, code: number, message: string): Answer {
  const name = status === 'ERROR' && path.endsWith('/direct_post') ? 'error_code' : 'code';
  return { status: 200, body: { id: recordId(), status, [name]: code, message } };
}

/**
 * Imitates Lead Prosper's lead ingest: `POST /ingest` and `POST /direct_post`, JSON, credentials in
 * the body, phone 10 digits, sub ids of at most 75 characters, `lp_action: "test"` for a test lead.
 * Each campaign accepts a lead once: the same `lead_id`, or the same phone and e-mail (ignoring
 * case), is DUPLICATED. Test leads are separate, so that a test never makes a real lead a
 * duplicate. Like the vendor, it has no idempotency key.
 */
function ingestService(context: SandboxContext): Service {
  const { lpCampaignId, lpSupplierId, lpKey } = context.credentials;
  return campaign(context, {
    name: 'ingest',
    title: 'Lead ingest (Lead Prosper)',
    path: '',
    fields: campaignFields(),
    account: [lpCampaignId, lpSupplierId, lpKey],
    settings: (url) => ({
      INGEST_WITH_VERIFICATION: 'on',
      INGEST_URL: url,
      INGEST_CAMPAIGN_ID: lpCampaignId,
      INGEST_SUPPLIER_ID: lpSupplierId,
      INGEST_KEY: lpKey,
    }),
  });
}

/** Imitates the contact form's campaign: the same service, with its own account and fields. */
function contactService(context: SandboxContext): Service {
  const { contactCampaignId, contactSupplierId, contactKey } = context.credentials;
  return campaign(context, {
    name: 'contact',
    title: 'Lead ingest of the contact form (Lead Prosper)',
    path: '/contact',
    fields: contactCampaignFields(),
    account: [contactCampaignId, contactSupplierId, contactKey],
    settings: (url) => ({
      CONTACT_INGEST_URL: `${url}/contact`,
      CONTACT_CAMPAIGN_ID: contactCampaignId,
      CONTACT_SUPPLIER_ID: contactSupplierId,
      CONTACT_KEY: contactKey,
    }),
  });
}

type Campaign = {
  readonly name: 'ingest' | 'contact';
  readonly title: string;
  /** The prefix before `/ingest`. */
  readonly path: string;
  readonly fields: Record<string, v.GenericSchema>;
  readonly account: readonly [string, string, string];
  readonly settings: (url: string) => Record<string, string>;
};

const credential = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.trim());
const accountSchema = v.object({
  lp_campaign_id: credential,
  lp_supplier_id: credential,
  lp_key: credential,
  lead_id: v.optional(v.string()),
});

function campaign(
  context: SandboxContext,
  { name, title, path: base, fields, account, settings }: Campaign,
): Service {
  const schema = v.strictObject(fields);

  function judge(exchange: Exchange): Verdict {
    const { path } = exchange;
    // Checks the credentials first, because they determine the campaign's fields.
    const named = readJson(accountSchema, exchange);
    if (named.ok) {
      const { lp_campaign_id, lp_supplier_id, lp_key } = named.value;
      const [campaignId, supplierId, accountKey] = account;
      const wrong = [
        ...(lp_campaign_id === campaignId ? [] : ['lp_campaign_id: not known']),
        ...(lp_supplier_id === supplierId ? [] : ['lp_supplier_id: not known']),
        ...(lp_key === accountKey ? [] : ['lp_key: wrong']),
      ];
      if (wrong.length > 0) {
        const key = named.value.lead_id?.trim();
        const answer = say(path, 'ERROR', codes.credentials, 'Error: invalid campaign credentials');
        return refuse(wrong, answer, key);
      }
    }
    const read = readJson(schema, exchange);
    if (!read.ok) {
      const unreadable = read.violations.some((one) => /^(content-type|body):/.test(one));
      const code = unreadable ? codes.notJson : codes.invalid;
      const message = `Error: lead failed validation: ${read.violations.join('; ')}`;
      return refuse(read.violations, say(path, 'ERROR', code, message));
    }
    const lead = Object.fromEntries(
      Object.entries(read.value).map(([name, value]) => [name, value as string | number | boolean]),
    );
    const field = (name: string) => String(lead[name] ?? '').trim();
    const leadId = field('lead_id');
    const contact = `${field('phone')} ${field('email').toLowerCase()}`;
    const key = leadId || contact;
    return act(() => {
      const space = field('lp_action') === 'test' ? 'test ' : '';
      const contactKey = `${space}${contact}`;
      const { lp_key: _key, ...detail } = lead;
      const effect = context.effect({
        service: name,
        keys: leadId ? [`${space}${leadId}`, contactKey] : [contactKey],
        detail,
        recognise: true,
      });
      const answer = effect
        ? say(path, 'ACCEPTED', codes.accepted, 'Lead accepted')
        : say(path, 'DUPLICATED', codes.duplicate, 'Duplicate lead');
      return { effect, answer };
    }, key);
  }

  return {
    name,
    title,
    settings,
    failureBodies: {
      '500': { status: 'ERROR', code: 500, message: 'Internal server error' },
      '429': { status: 'ERROR', code: 429, message: 'Too many requests' },
      credentials: accountError(codes.credentials, 'Error: invalid campaign credentials'),
      account_closed: accountError(codes.closed, 'Error: campaign is closed'),
      cap_reached: accountError(codes.cap, 'Error: supplier daily cap reached'),
      duplicate: {
        id: 'sandboxduplicate0000',
        status: 'DUPLICATED',
        code: codes.duplicate,
        message: 'Duplicate lead',
      },
    },
    routes: [
      { method: 'POST', path: `${base}/ingest`, handle: judge },
      { method: 'POST', path: `${base}/direct_post`, handle: judge },
    ],
  };
}

export const standIns: readonly StandIn[] = [ingestService, contactService];
