import { randomBytes, randomInt } from 'node:crypto';
import * as v from 'valibot';
import {
  type Answer,
  act,
  judge,
  type Route,
  refuse,
  reply,
  type SandboxContext,
  type Service,
  type StandIn,
} from '../service.ts';
import { basicCredentials, readForm } from '../strict-body.ts';

const lifeMs = 10 * 60_000;
const maxSends = 5;
const maxChecks = 5;

interface Verification {
  sid: string;
  to: string;
  code: string;
  createdMs: number;
  sends: { at: string; sid: string }[];
  checks: number;
}

const sid = (prefix: string) => prefix + randomBytes(16).toString('hex');

const e164 = v.pipe(v.string(), v.regex(/^\+[1-9]\d{7,14}$/, 'expected an E.164 number'));
const sendSchema = v.strictObject({
  To: e164,
  Channel: v.literal('sms'),
  Locale: v.optional(v.picklist(['en', 'es'])),
});
const checkSchema = v.strictObject({
  To: e164,
  Code: v.pipe(v.string(), v.regex(/^\d{4,10}$/, 'expected 4 to 10 digits')),
});

function error(status: number, code: number, message: string): Answer {
  return {
    status,
    body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  };
}

/**
 * Imitates Twilio Verify v2: `POST /v2/Services/{sid}/Verifications` (To, Channel=sms) and `POST
 * /v2/Services/{sid}/VerificationCheck` (To, Code), form-encoded, Basic authentication with account
 * sid and token. The right code gets 200 `approved` and is used up; a wrong one gets 200 `pending`.
 * Errors: 60203 (429) after 5 sends, 60202 (429) after 5 checks, 20404 (404) for an expired (10
 * minutes), used or unknown code, 60410 (403) for numbers that end in 0060 (a prefix blocked for
 * fraud). A resend within the 10 minutes repeats the code without extending its life.
 */
function smsService(context: SandboxContext): Service {
  const verifications = new Map<string, Verification>();
  const { twilioAccountSid, twilioAuthToken, twilioServiceSid } = context.credentials;

  const alive = (to: string) => {
    const found = verifications.get(to);
    return found && context.now().getTime() - found.createdMs < lifeMs ? found : undefined;
  };

  function verificationBody(one: Verification, status: 'pending' | 'approved') {
    return {
      sid: one.sid,
      service_sid: twilioServiceSid,
      account_sid: twilioAccountSid,
      to: one.to,
      channel: 'sms',
      status,
      valid: status === 'approved',
      amount: null,
      payee: null,
      date_created: new Date(one.createdMs).toISOString(),
      date_updated: context.now().toISOString(),
    };
  }

  const notFound = (path: string) =>
    error(404, 20404, `The requested resource ${path} was not found`);

  /** Checks authentication and service first. */
  function authorized(handle: Route['handle']): Route['handle'] {
    return (exchange) => {
      const basic = basicCredentials(exchange.headers);
      if (basic?.user !== twilioAccountSid || basic.password !== twilioAuthToken) {
        const breach = basic ? 'authorization: wrong' : 'authorization: missing, expected Basic';
        return refuse(breach, error(401, 20003, 'Authenticate'));
      }
      return exchange.params.service === twilioServiceSid
        ? handle(exchange)
        : refuse('service sid: not known', notFound(exchange.path));
    };
  }

  const invalid = (violations: readonly string[]) =>
    error(400, 60200, `Invalid parameter: ${violations.join('; ')}`);

  const send = judge(
    (exchange) => readForm(sendSchema, exchange),
    ({ To: to }) => {
      if (to.endsWith('0060')) {
        return refuse([], error(403, 60410, 'Verification delivery attempt blocked'));
      }
      return act(() => {
        const at = context.now();
        const current = alive(to);
        if (current && current.sends.length >= maxSends) {
          return { effect: false, answer: error(429, 60203, 'Max send attempts reached') };
        }
        const one: Verification = current ?? {
          sid: sid('VE'),
          to,
          code: String(randomInt(1_000_000)).padStart(6, '0'),
          createdMs: at.getTime(),
          sends: [],
          checks: 0,
        };
        one.sends.push({ at: at.toISOString(), sid: sid('VL') });
        verifications.set(to, one);
        context.sent({ to, code: one.code, at: at.toISOString() });
        const attempts = one.sends.map((send) => ({
          attempt_sid: send.sid,
          channel: 'SMS',
          time: send.at,
        }));
        const body = {
          ...verificationBody(one, 'pending'),
          lookup: {},
          send_code_attempts: attempts,
          sna: null,
          url: `https://verify.twilio.com/v2/Services/${twilioServiceSid}/Verifications/${one.sid}`,
        };
        return { effect: true, answer: { status: 201, body } };
      }, to);
    },
    invalid,
  );

  const check = judge(
    (exchange) => readForm(checkSchema, exchange),
    ({ To: to, Code: code }, { path }) => {
      return act(() => {
        const one = alive(to);
        if (!one) return { effect: false, answer: notFound(path) };
        if (one.checks >= maxChecks) {
          return { effect: false, answer: error(429, 60202, 'Max check attempts reached') };
        }
        one.checks += 1;
        const approved = code === one.code;
        if (approved) verifications.delete(to);
        const body = {
          ...verificationBody(one, approved ? 'approved' : 'pending'),
          sna_attempts_error_codes: [],
        };
        return { effect: approved, answer: { status: 200, body } };
      }, to);
    },
    invalid,
  );

  /** Answers for the service itself, which proves an account's credentials. */
  const about = () => reply({ sid: twilioServiceSid, code_length: 6 });

  return {
    name: 'sms',
    title: 'SMS codes (Twilio Verify)',
    settings: (url) => ({
      TWILIO_ACCOUNT_SID: twilioAccountSid,
      TWILIO_AUTH_TOKEN: twilioAuthToken,
      TWILIO_VERIFY_SERVICE_SID: twilioServiceSid,
      TWILIO_VERIFY_URL: url,
    }),
    failureBodies: {
      '500': error(500, 20500, 'Internal Server Error').body,
      '429': error(429, 20429, 'Too Many Requests').body,
    },
    routes: [
      { method: 'GET', path: '/v2/Services/:service', handle: authorized(about) },
      { method: 'POST', path: '/v2/Services/:service/Verifications', handle: authorized(send) },
      {
        method: 'POST',
        path: '/v2/Services/:service/VerificationCheck',
        handle: authorized(check),
      },
    ],
    reset: () => verifications.clear(),
  };
}

export const standIns: readonly StandIn[] = [smsService];
