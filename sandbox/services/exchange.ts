import * as v from 'valibot';
import {
  act,
  ipAddress,
  judgeJson,
  type SandboxContext,
  type Service,
  type StandIn,
} from '../service.ts';

const schema = v.strictObject({
  project: v.literal('MVA'),
  zipCode: v.pipe(v.string(), v.regex(/^\d{5}$/, 'expected 5 digits')),
  ipAddress,
  userAgent: v.string(),
  /** TrustedForm certificate, or empty. */
  tf: v.string(),
  /** LeadiD token or our lead id; the specification does not say which, so any text is valid. */
  leadId: v.string(),
});

/**
 * Imitates the exchange lead-data service: `POST /exchange/lead-data`, JSON with exactly `project`
 * (MVA), `zipCode`, `ipAddress`, `userAgent`, `tf`, `leadId`
 * (docs/specification.md#calls-of-the-server). The path and the answer are ours; the answer is
 * ignored. Duplicates are not recognised.
 */
function exchangeService(context: SandboxContext): Service {
  const post = judgeJson(schema, (detail) => {
    const key = detail.leadId || undefined;
    return act(() => {
      const keys = [key ?? `${detail.ipAddress} ${detail.zipCode}`] as const;
      context.effect({ service: 'exchange', keys, detail, recognise: false });
      return { effect: true, answer: { status: 200, body: { status: 'ok' } } };
    }, key);
  });

  return {
    name: 'exchange',
    title: 'Exchange lead data',
    settings: (url) => ({ EXCHANGE_URL: `${url}/exchange/lead-data` }),
    routes: [{ method: 'POST', path: '/exchange/lead-data', handle: post }],
  };
}

export const standIns: readonly StandIn[] = [exchangeService];
