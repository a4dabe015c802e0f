import { isIP } from 'node:net';
import * as v from 'valibot';
import {
  act,
  type Exchange,
  refuse,
  type SandboxContext,
  type Service,
  type Verdict,
} from '../service.ts';
import { readJson } from '../strict-body.ts';

const schema = v.strictObject({
  project: v.literal('MVA'),
  zipCode: v.pipe(v.string(), v.regex(/^\d{5}$/, 'expected 5 digits')),
  ipAddress: v.pipe(
    v.string(),
    v.check((value) => isIP(value) !== 0, 'expected an IPv4 or IPv6 address'),
  ),
  userAgent: v.string(),
  /** TrustedForm certificate, or empty. */
  tf: v.string(),
  /** LeadiD token or our lead id; the specification does not say which, so any text is valid. */
  leadId: v.string(),
});

/**
 * Exchange lead data: `POST /exchange/lead-data`, JSON with exactly `project` (MVA), `zipCode`,
 * `ipAddress`, `userAgent`, `tf`, `leadId` (docs/specification.md#calls-of-the-server). The path and
 * the answer are ours; the answer is ignored. Duplicates are not recognised.
 */
export function exchangeService(context: SandboxContext): Service {
  function judge(exchange: Exchange): Verdict {
    const read = readJson(schema, exchange);
    if (!read.ok) {
      return refuse(read.violations, { status: 400, body: { errors: read.violations } });
    }
    const key = read.value.leadId || undefined;
    return act(() => {
      context.effects.apply({
        service: 'exchange',
        keys: [key ?? `${read.value.ipAddress} ${read.value.zipCode}`],
        detail: read.value,
        at: context.now().toISOString(),
        recognise: false,
      });
      return { effect: true, answer: { status: 200, body: { status: 'ok' } } };
    }, key);
  }

  return {
    name: 'exchange',
    title: 'Exchange lead data',
    routes: [{ method: 'POST', path: '/exchange/lead-data', handle: judge }],
  };
}
