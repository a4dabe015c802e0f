/** Asks third parties on behalf of leads and records each question. */
import { askedKey } from '../../intake/service-answers.ts';
import type { Clock } from '../base/clock.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import type { AnswerStore, Ask, Asked, CheckedService, CheckRecord, LeadCheck } from './ask.ts';
import type { PermitPaidCheck } from './paid-checks.ts';

type Summary = Readonly<Record<string, unknown>>;

export type Recording = { readonly record: CheckRecord['record']; readonly now: Clock };

export type AskOnceOptions<Said> = Recording & {
  readonly service: CheckedService;
  readonly ask: Ask<string, Said>;
  readonly answers: AnswerStore;
  /**
   * Returns why an address may not make a paid call; undefined if it may. Default: all calls are
   * permitted.
   */
  readonly permit?: PermitPaidCheck | undefined;
  /** Returns the hash under which a value's answer is stored. Default: `askedKey`. */
  asked?(value: string): string;
  /** Whether to cache an answer. Default: always. */
  isKept?(said: Said): boolean;
  /** Returns the part of an answer to record with the lead, without personal data. */
  summary(said: Said): Summary;
};

/** Returns a third party's answer about a value, or undefined if the default applies. */
export type AskedOnce<Said> = (
  value: string,
  lead?: OwnedLead,
  networkKey?: string,
) => Promise<Said | undefined>;

/**
 * Creates the function that asks a third party about values and caches its answers. It never
 * throws. Concurrent questions about one value share one call.
 */
export function createAskOnce<Said>(options: AskOnceOptions<Said>): AskedOnce<Said> {
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

/**
 * Asks a third party and records the question with the lead.
 * @param about.value the question as text; only its hash is stored
 * @param about.summary returns the part of the answer to record, without personal data
 */
export async function askAndRecord<Said>(
  ask: () => Promise<Asked<Said>>,
  about: {
    readonly lead: OwnedLead;
    readonly service: CheckedService;
    readonly value: string;
    summary(said: Said): Summary;
  },
  { record, now }: Recording,
): Promise<Said | undefined> {
  const { lead, service, value, summary } = about;
  const { leadId, secretSha256 } = lead;
  const at = now();
  const { outcome, durationMs, said, reason } = await ask();
  const answer = said === undefined ? undefined : summary(said);
  const asked = askedKey(service, value);
  record({ leadId, service, asked, at, durationMs, outcome, said: answer, reason }, secretSha256);
  return said;
}
