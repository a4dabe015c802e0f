/** Asks third parties on behalf of leads and records each question. */
import { askedKey } from '../../intake/service-answers.ts';
import type { Clock } from '../base/clock.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import type { Ask, Asked, CheckedService, LeadCheck, RecordCheck } from './ask.ts';
import type { CheckAnswers } from './check-answers.ts';
import type { PermitPaidCheck } from './paid-checks.ts';

type Summary = Readonly<Record<string, unknown>>;

export type Recording = { readonly record: RecordCheck; readonly now: Clock };

export type AskOnceOptions<Said> = Recording & {
  readonly service: CheckedService;
  readonly ask: Ask<string, Said>;
  readonly answers: Pick<CheckAnswers, 'recall' | 'keep'>;
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
  const { service, ask, answers, permit, isKept = () => true, summary } = options;
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
    const tell = lead && recorder({ lead, service, asked, summary }, options);
    const remembered = (await answers.recall(service, asked)) as Said | undefined;
    if (remembered !== undefined) {
      tell?.('remembered', remembered);
      return remembered;
    }
    const { outcome, said, reason } = await askShared(asked, value, networkKey);
    if (said !== undefined && isKept(said)) answers.keep(service, asked, said);
    tell?.(outcome, said, reason);
    return said;
  };
}

type About<Said> = {
  readonly lead: OwnedLead;
  readonly service: CheckedService;
  /** Returns the part of an answer to record, without personal data. */
  summary(said: Said): Summary;
};

/** Begins a question now; the returned function records its end with the lead. */
function recorder<Said>(
  { lead, service, asked, summary }: About<Said> & { readonly asked: string },
  { record, now }: Recording,
) {
  const { leadId, secretSha256 } = lead;
  const at = now();
  const startedAtMs = performance.now();
  return (outcome: LeadCheck['outcome'], answer: Said | undefined, reason?: string) => {
    const durationMs = Math.round(performance.now() - startedAtMs);
    const said = answer === undefined ? undefined : summary(answer);
    record({ leadId, service, asked, at, durationMs, outcome, said, reason }, secretSha256);
  };
}

/**
 * Asks a third party and records the question with the lead.
 * @param about.value the question as text; only its hash is stored
 */
export async function askAndRecord<Said>(
  ask: () => Promise<Asked<Said>>,
  about: About<Said> & { readonly value: string },
  recording: Recording,
): Promise<Said | undefined> {
  const tell = recorder({ ...about, asked: askedKey(about.service, about.value) }, recording);
  const { outcome, said, reason } = await ask();
  tell(outcome, said, reason);
  return said;
}
