/** Makes one test call to each third party. No call has an effect, but some cost a credit. */

import * as checks from '../checks/index.ts';
import { type ProbeResult, probeCall } from '../delivery/destinations/index.ts';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import type { ServiceSettings, Settings } from './settings.ts';

type Probe = () => Promise<ProbeResult>;
/** Maps third parties' names to test calls. */
type Probes = Readonly<Partial<Record<string, Probe>>>;

/** A fictional phone number (555-01XX). */
const EXAMPLE_PHONE = '2125550123';
const EXAMPLE_EMAIL = 'test@example.com';
const EXAMPLE_ZIP = '10001';
const EXAMPLE_TEXT = 'A truck hit my car from behind at a red light.';
const SCRIPT_TIMEOUT_MS = 5_000;

const missing: ProbeResult = { state: 'not_tried', text: 'not set up' };

/** Returns the test calls for these settings, by the name of the third party. */
export function thirdPartyProbes(settings: Settings, http: OutgoingHttp): Probes {
  const ofDestinations = settings.destinations.map(({ definition, values }): [string, Probe] => [
    definition.name,
    async () =>
      (values && (await definition.probe?.(values, http))) ?? {
        state: 'not_tried',
        text: 'each call has an effect: send a lead of your own, then "npm run leads -- show"',
      },
  ]);
  return { ...Object.fromEntries(ofDestinations), ...serviceProbes(settings, http) };
}

/** Returns the result of a test call. Any valid answer is a success. */
async function asked(call: Promise<checks.Asked<unknown>>): Promise<ProbeResult> {
  const { outcome, reason, durationMs } = await call;
  return outcome === 'answered'
    ? { state: 'works', text: `it answered in ${durationMs} ms` }
    : { state: 'wrong', text: reason ?? outcome };
}

function serviceProbes(settings: Settings, http: OutgoingHttp): Probes {
  const { site, slack, codeSender, surveys } = settings;
  const { phone, email, zip, gibberish } = settings.checks;
  const { scripts } = site;
  async function ask<Value>(
    check: checks.Check<Value, unknown>,
    given: ServiceSettings | undefined,
    value: Value,
  ) {
    const service = given && checks.createService({ name: check.name, http, ...given });
    return service ? asked(checks.askService(service, check, value)) : missing;
  }
  const script =
    (...urls: readonly (string | undefined)[]): Probe =>
    async () => {
      const all = await Promise.all(urls.flatMap((url) => (url ? [loadable(http, url)] : [])));
      return all.find(({ state }) => state === 'wrong') ?? { state: 'works', text: 'it loads' };
    };
  const { callTracking, click } = scripts;
  const account = codeSender === 'development' ? undefined : codeSender;
  const checkEmail = checks.emailCheck(email?.key ?? '', email?.timeoutMs ?? 0);
  const { affiliateId: affid = 1, offerId: oid = 1 } = surveys[0] ?? {};
  return {
    phone: () => ask(checks.phoneCheck(phone?.key ?? ''), phone, EXAMPLE_PHONE),
    email: () => ask(checkEmail, email, EXAMPLE_EMAIL),
    gibberish: () => ask(checks.services.gibberish, gibberish, EXAMPLE_TEXT),
    zip: async () => {
      const { checkZip } = await checks.loadZipTable();
      return ask(checks.services.zipPlace(checkZip), zip, EXAMPLE_ZIP);
    },
    mapping: () => ask(checks.services.mapping, settings.mapping, { affid, oid }),
    sms: async () => {
      if (!account) return missing;
      const service = checks.createService({ name: 'sms', http, ...account });
      return asked(checks.probeTwilio(service, account));
    },
    alerts: async () => (slack ? probeSlack(http, slack) : missing),
    click: script(click && `${click.baseUrl}/scripts/main.js`),
    trusted_form_script: script(
      scripts.trustedForm &&
        `${scripts.trustedForm}?field=xxTrustedFormCertUrl&use_tagged_consent=true&l=${Date.now()}.1`,
    ),
    leadid: script(scripts.leadid),
    call_tracking: script(callTracking?.numbers.src, callTracking?.facebook?.src),
    pixel: script(scripts.pixel),
    case_worth: script(scripts.caseWorth, scripts.caseWorthFacebook),
    ticket: script(scripts.ticket),
    ad_pixel: script(scripts.adPixel),
    partner: script(site.partnerUrl),
  };
}

function loadable(http: OutgoingHttp, url: string): Promise<ProbeResult> {
  return probeCall(http, { method: 'GET', url, timeoutMs: SCRIPT_TIMEOUT_MS }, ({ status }) =>
    status >= 200 && status <= 399
      ? { state: 'works', text: 'it loads' }
      : { state: 'wrong', text: `${new URL(url).host} answers HTTP ${status}` },
  );
}

/** Tests a Slack webhook with an empty message, to which an existing webhook answers `no_text`. */
function probeSlack(http: OutgoingHttp, { url, timeoutMs }: NonNullable<Settings['slack']>) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ text: '' });
  return probeCall(http, { method: 'POST', url, headers, body, timeoutMs }, ({ status, text }) =>
    status === 400 && text.startsWith('no_text')
      ? { state: 'works', text: 'the webhook exists (it refused an empty message)' }
      : { state: 'wrong', text: `HTTP ${status}: ${text.slice(0, 60)}` },
  );
}
