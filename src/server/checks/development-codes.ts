/** A code sender for development: it prints codes to the log. The start refuses it in production. */
import { randomInt } from 'node:crypto';
import { SMS_CODE_CHARACTERS } from '../../model/messages/phone-code.ts';
import type { Clock } from '../platform/clock.ts';
import { setLatest } from '../platform/latest.ts';
import type { PhoneVerifier } from './verify-phone.ts';

/** As in Twilio: codes expire, tries are limited, and a resend repeats the code. */
const LIFE_MS = 10 * 60_000;
const MAX_CHECKS = 5;
/** Maximum number of numbers to remember; the oldest is dropped first. */
const MAX_NUMBERS = 1_000;

type Code = { readonly code: string; readonly madeAtMs: number; checks: number };

/**
 * Imitates the SMS service within this process. Codes of other processes count as expired.
 *
 * @param warn writes a line to the log
 */
export function createDevelopmentCodes(
  warn: (facts: Readonly<Record<string, unknown>>, text: string) => void,
  now: Clock = () => new Date(),
): PhoneVerifier {
  const codes = new Map<string, Code>();

  function alive(digits: string): Code | undefined {
    const found = codes.get(digits);
    return found && now().getTime() - found.madeAtMs < LIFE_MS ? found : undefined;
  }

  return {
    async send(digits) {
      const present = alive(digits) ?? {
        code: String(randomInt(10 ** SMS_CODE_CHARACTERS)).padStart(SMS_CODE_CHARACTERS, '0'),
        madeAtMs: now().getTime(),
        checks: 0,
      };
      setLatest(codes, digits, present, MAX_NUMBERS);
      warn(
        { developmentCode: present.code, numberEndsIn: digits.slice(-2) },
        `>>> DEVELOPMENT ONLY: no SMS was sent. The code is ${present.code} <<<`,
      );
      return 'sent';
    },
    async check(digits, code) {
      const found = alive(digits);
      if (!found) return 'expired';
      if (found.checks >= MAX_CHECKS) return 'too_many';
      found.checks += 1;
      if (code !== found.code) return 'wrong';
      codes.delete(digits);
      return 'approved';
    },
  };
}
