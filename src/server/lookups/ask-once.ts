/** Asks a third party about each value once and caches the answer for all visitors and processes. */
import { askedKey } from '../../intake/service-answers.ts';
import type { Clock } from '../base/clock.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import type { AnswerStore } from './answer-store.ts';
import type { Ask, Asked, CheckedService, CheckRecord, LeadCheck } from './ask.ts';
import type { PermitPaidCheck } from './paid-checks.ts';

type Summary = Readonly<Record<string, unknown>>;

export type AskOnceOptions<Said> = {
  readonly service: CheckedService;
  readonly ask: Ask<string, Said>;
  readonly answers: AnswerStore;
  readonly record: CheckRecord['record'];
  /** Returns why an address may not make a paid call; undefined: it may. Default: all calls are permitted. */
  readonly permit?: PermitPaidCheck | undefined;
  readonly now: Clock;
  /** Returns the hash under which a value's answer is stored. Default: `askedKey`. */
  asked?(value: string): string;
  /** Whether to cache an answer. Default: always. */
  isKept?(said: Said): boolean;
  /** Returns the part of an answer to record with the lead, without personal data. */
  summary(said: Said): Summary;
};

/**
 * Creates a function that returns a third party's answer about a value; undefined if there is none and the
 * default applies. Concurrent questions about one value share one call. Never throws.
 */
export function createAskOnce<Said>(
  options: AskOnceOptions<Said>,
): (value: string, lead?: OwnedLead, networkKey?: string) => Promise<Said | undefined> {
  const { service, ask, answers, record, now, permit, isKept = () => true, summary } = options;
  const { asked: keyOf = (value: string) => askedKey(service, value) } = options;
  type Call = Promise<Omit<Asked<Said>, 'outcome'> & { readonly outcome: LeadCheck['outcome'] }>;
  const underWay = new Map<string, Call>();

  async function askIfPermitted(value: string, networkKey: string): Call {
    const reason = await permit?.(networkKey);
    return reason === undefined ? ask(value) : { outcome: 'over_limit', reason, durationMs: 0 };
  }

  function askShared(asked: string, value: string, networkKey: string): Call {
    const present = underWay.get(asked);
    if (present) return present;
    const call = askIfPermitted(value, networkKey).finally(() => underWay.delete(asked));
    underWay.set(asked, call);
    return call;
  }

  return async (value, lead, networkKey = '') => {
    const asked = keyOf(value);
    const at = now();
    const startedAtMs = performance.now();
    const tell = (outcome: LeadCheck['outcome'], said: Said | undefined, reason?: string) => {
      if (lead === undefined) return;
      const { leadId, secretSha256 } = lead;
      const durationMs = Math.round(performance.now() - startedAtMs);
      const about = said === undefined ? undefined : summary(said);
      const check = { leadId, service, asked, at, durationMs, outcome, said: about, reason };
      record(check, secretSha256);
    };
    const remembered = (await answers.recall(service, asked)) as Said | undefined;
    if (remembered !== undefined) {
      tell('remembered', remembered);
      return remembered;
    }
    const { outcome, said, reason } = await askShared(asked, value, networkKey);
    if (said !== undefined && isKept(said)) answers.keep(service, asked, said);
    tell(outcome, said, reason);
    return said;
  };
}
