import { randomBytes, randomInt } from 'node:crypto';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { basicBreach } from '../requests.ts';
import {
  type Answer,
  type Exchange,
  type Handler,
  matching,
  refuse,
  reply,
  type StandIn,
  takes,
} from '../service.ts';

const { twilioAccountSid, twilioAuthToken, twilioServiceSid } = credentials;
const servicePath = `/v2/Services/${twilioServiceSid}` as const;
const LIFE_MS = 10 * 60_000;
const MAX_SENDS = 5;
const MAX_CHECKS = 5;

const e164 = matching(/^\+[1-9]\d{7,14}$/, 'an E.164 number');
const sendSchema = v.strictObject({
  To: e164,
  Channel: v.literal('sms'),
  Locale: v.optional(v.picklist(['en', 'es'])),
});
const checkSchema = v.strictObject({ To: e164, Code: matching(/^\d{4,10}$/, '4 to 10 digits') });

function error(status: number, code: number, message: string): Answer {
  return {
    status,
    body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  };
}

const invalid = (violations: readonly string[]) =>
  error(400, 60200, `Invalid parameter: ${violations.join('; ')}`);

function authorized(handle: Handler): Handler {
  return (exchange) => {
    const breach = basicBreach(
      exchange.headers,
      (user, password) => user === twilioAccountSid && password === twilioAuthToken,
    );
    return breach ? refuse(breach, error(401, 20003, 'Authenticate')) : handle(exchange);
  };
}

type Verification = {
  sid: string;
  to: string;
  code: string;
  createdMs: number;
  sends: number;
  checks: number;
};

const verificationsOf = ({ memory }: Exchange) => memory<Verification>('SMS verifications');

function alive(to: string, exchange: Exchange): Verification | undefined {
  const one = verificationsOf(exchange).get(to);
  return one && exchange.now().getTime() - one.createdMs < LIFE_MS ? one : undefined;
}

function answerOf(status: number, { sid, to }: Verification, isApproved: boolean): Answer {
  const state = isApproved ? 'approved' : 'pending';
  const body = { sid, to, channel: 'sms', status: state, valid: isApproved };
  return { status, body, key: to };
}

const send = takes(
  'form',
  sendSchema,
  ({ To: to }, exchange) => {
    const one = alive(to, exchange) ?? {
      sid: `VE${randomBytes(16).toString('hex')}`,
      to,
      code: String(randomInt(1_000_000)).padStart(6, '0'),
      createdMs: exchange.now().getTime(),
      sends: 0,
      checks: 0,
    };
    if (one.sends >= MAX_SENDS) return error(429, 60203, 'Max send attempts reached');
    one.sends += 1;
    verificationsOf(exchange).set(to, one);
    exchange.sent({ to, code: one.code });
    return answerOf(201, one, false);
  },
  invalid,
);

const check = takes(
  'form',
  checkSchema,
  ({ To: to, Code: code }, exchange) => {
    const one = alive(to, exchange);
    if (!one) return error(404, 20404, `The requested resource ${exchange.path} was not found`);
    if (one.checks >= MAX_CHECKS) return error(429, 60202, 'Max check attempts reached');
    one.checks += 1;
    const isApproved = code === one.code;
    if (isApproved) verificationsOf(exchange).delete(to);
    return answerOf(200, one, isApproved);
  },
  invalid,
);

/** The stand-in for Twilio Verify v2, with Twilio's error codes and limits. */
export const standIns: readonly StandIn[] = [
  {
    name: 'sms',
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
    routes: {
      // The server calls this path to check its Twilio credentials.
      [`GET ${servicePath}`]: authorized(() => reply({ sid: twilioServiceSid, code_length: 6 })),
      [`POST ${servicePath}/Verifications`]: authorized(send),
      [`POST ${servicePath}/VerificationCheck`]: authorized(check),
    },
  },
];
