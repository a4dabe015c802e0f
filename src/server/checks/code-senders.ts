/** Sends SMS codes by Twilio Verify v2, or in development to the log. */

import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { SMS_CODE_CHARACTERS } from '../../model/messages/phone-code.ts';
import { isSuccess, readBody } from '../platform/outgoing-answer.ts';
import type { OutgoingAnswer } from '../platform/outgoing-http.ts';
import type { CheckOutcome, CodeSendOutcome } from './phone-code-permits.ts';
import type { Asked, Service } from './service.ts';
import type { PhoneVerifier } from './verify-phone.ts';

export type TwilioAccount = {
  readonly accountSid: string;
  readonly authToken: string;
  /** The id of the Verify service: `VA` and 32 hexadecimal digits. */
  readonly serviceSid: string;
};

const sendErrors: Readonly<Record<number, CodeSendOutcome>> = {
  60203: 'too_many', // More than 5 sends.
  60205: 'blocked', // A landline, which cannot receive texts.
  60410: 'blocked', // The number's prefix is blocked for fraud.
};
const checkErrors: Readonly<Record<number, CheckOutcome>> = {
  60202: 'too_many', // More than 5 checks.
  20404: 'expired', // Expired, used, or never sent.
};

const checkStates: Readonly<Record<string, CheckOutcome>> = {
  approved: 'approved',
  pending: 'wrong',
  expired: 'expired',
  canceled: 'expired',
  deleted: 'expired',
  max_attempts_reached: 'too_many',
};

const verification = v.object({ status: v.string(), valid: v.optional(v.boolean()) });
const refusal = v.object({ code: v.pipe(v.number(), v.integer()) });

function basic({ accountSid, authToken }: TwilioAccount): string {
  return `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
}

/** Tests the account by reading the Verify service's settings. Sends no code. */
export function probeTwilio(service: Service, account: TwilioAccount): Promise<Asked<true>> {
  return service.ask(
    {
      method: 'GET',
      path: `/v2/Services/${encodeURIComponent(account.serviceSid)}`,
      headers: { authorization: basic(account) },
    },
    ({ status }) => (status === 200 ? true : undefined),
  );
}

/** Creates the Twilio adapter, whose functions never throw errors. */
export function createTwilioVerify(
  service: Service,
  account: TwilioAccount,
  warn: (facts: { status: number; code: number | undefined }, text: string) => void,
): PhoneVerifier {
  const authorization = basic(account);

  /** Posts a form to Twilio, and returns the outcome. */
  async function ask<Outcome extends string>(
    path: string,
    form: Readonly<Record<string, string>>,
    known: Readonly<Record<number, Outcome>>,
    accept: (answer: v.InferOutput<typeof verification>) => Outcome | undefined,
  ): Promise<Outcome | 'failed'> {
    const understand = (answer: OutgoingAnswer): Outcome | undefined => {
      const found = isSuccess(answer) ? readBody(verification, answer) : undefined;
      const code = isSuccess(answer) ? undefined : readBody(refusal, answer)?.code;
      const outcome = (found && accept(found)) ?? (code === undefined ? undefined : known[code]);
      if (outcome === undefined) {
        warn({ status: answer.status, code }, 'The SMS service gave no usable answer');
      }
      return outcome;
    };
    const { said } = await service.ask(
      {
        method: 'POST',
        path: `/v2/Services/${encodeURIComponent(account.serviceSid)}${path}`,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      },
      understand,
    );
    return said ?? 'failed';
  }

  return {
    send: (digits, language) =>
      ask<CodeSendOutcome>(
        '/Verifications',
        { To: `+1${digits}`, Channel: 'sms', Locale: language },
        sendErrors,
        ({ status }) => (status === 'pending' ? 'sent' : undefined),
      ),
    check: (digits, code) =>
      ask<CheckOutcome>(
        '/VerificationCheck',
        { To: `+1${digits}`, Code: code },
        checkErrors,
        ({ status, valid }) =>
          // Treats an answer in which `status` and `valid` contradict each other as a failure.
          status === 'approved' && valid === false ? undefined : checkStates[status],
      ),
  };
}

/** Creates a substitute for the SMS service, which logs the codes during development. */
export function createDevelopmentCodes(
  warn: (facts: Readonly<Record<string, unknown>>, text: string) => void,
): PhoneVerifier {
  const codes = new Map<string, string>();
  return {
    async send(digits) {
      const random = String(randomInt(10 ** SMS_CODE_CHARACTERS));
      // Sends the same code again to the same phone number, as Twilio does.
      const developmentCode = codes.get(digits) ?? random.padStart(SMS_CODE_CHARACTERS, '0');
      codes.set(digits, developmentCode);
      warn(
        { developmentCode, numberEndsIn: digits.slice(-2) },
        `>>> DEVELOPMENT ONLY: no SMS was sent. The code is ${developmentCode} <<<`,
      );
      return 'sent';
    },
    async check(digits, code) {
      const sent = codes.get(digits);
      if (sent === undefined) return 'expired';
      if (code !== sent) return 'wrong';
      codes.delete(digits);
      return 'approved';
    },
  };
}
