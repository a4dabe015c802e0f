/** Asks third parties about values, and caches the answers. */

import { askedKey } from '../../model/lead/context.ts';
import type { PersonKey, PersonKeyKind } from '../../model/lead/person-key.ts';
import type { Clock } from '../platform/clock.ts';
import type { OutgoingAnswer } from '../platform/outgoing-http.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import type { CheckAnswers } from './check-answers.ts';
import type { PermitPaidCheck } from './paid-checks.ts';
import type {
  Asked,
  CheckedService,
  LeadCheck,
  RecordCheck,
  Service,
  ServiceRequest,
} from './service.ts';

/** A question to a third party about a value. */
export type Check<Value, Said> = {
  readonly name: string;
  request(value: Value): ServiceRequest | Promise<ServiceRequest>;
  /** Reads an answer. Returns undefined if the answer is unusable. */
  read(answer: OutgoingAnswer, value: Value): Said | undefined;
};

/** A check whose result is recorded with the lead. */
export type RecordedCheck<Value, Said> = Check<Value, Said> & {
  readonly name: CheckedService;
  /** Returns the value as text. Only a hash of the text is stored. */
  textOf(value: Value): string;
  /** Returns the part of an answer that is recorded, which contains no personal data. */
  summary(said: Said): Readonly<Record<string, unknown>>;
  /** Returns whether to cache an answer. Default: no answer is cached. */
  isCached?(said: Said): boolean;
  /** The kind of personal data that a paid check asks about. */
  readonly paidAbout?: PersonKeyKind;
};

/** Asks a service once. Never throws an error. */
export async function askService<Value, Said>(
  service: Pick<Service, 'ask'>,
  check: Check<Value, Said>,
  value: Value,
): Promise<Asked<Said>> {
  return service.ask(await check.request(value), (answer) => check.read(answer, value));
}

/** Asks a third party about a value. Returns undefined if the call failed. */
export type AskCheck<Value, Said> = (
  value: Value,
  lead?: OwnedLead,
  networkKey?: string,
) => Promise<Said | undefined>;

type CheckParts = {
  readonly answers: Pick<CheckAnswers, 'recall' | 'store'>;
  readonly record: RecordCheck;
  readonly permit: PermitPaidCheck;
  readonly personKey: PersonKey;
  readonly now: Clock;
};

type Found<Said> = Pick<LeadCheck, 'outcome' | 'reason'> & { readonly said?: Said | undefined };

/** Creates the function that asks a service. */
export function createAsk<Value, Said>(
  service: Pick<Service, 'ask' | 'mayBeAsked'>,
  check: RecordedCheck<Value, Said>,
  { answers, record, permit, personKey, now }: CheckParts,
): AskCheck<Value, Said> {
  const { name, isCached, paidAbout } = check;
  const underWay = new Map<string, Promise<Found<Said>>>();

  async function call(asked: string, value: Value, networkKey: string): Promise<Found<Said>> {
    const isPaid = paidAbout !== undefined && service.mayBeAsked();
    const reason = isPaid ? await permit(networkKey) : undefined;
    if (reason !== undefined) return { outcome: 'over_limit', reason };
    const end = await askService(service, check, value);
    if (end.said !== undefined && isCached?.(end.said)) await answers.store(name, asked, end.said);
    return end;
  }

  async function find(asked: string, value: Value, networkKey: string): Promise<Found<Said>> {
    if (isCached === undefined) return call(asked, value, networkKey);
    const remembered = (await answers.recall(name, asked)) as Said | undefined;
    if (remembered !== undefined) return { outcome: 'remembered', said: remembered };
    const present =
      underWay.get(asked) ?? call(asked, value, networkKey).finally(() => underWay.delete(asked));
    underWay.set(asked, present);
    return present;
  }

  return async (value, lead, networkKey = '') => {
    const text = check.textOf(value);
    const asked = paidAbout ? personKey(paidAbout, text) : askedKey(name, text);
    const at = now();
    const startedAtMs = performance.now();
    const { outcome, said, reason } = await find(asked, value, networkKey);
    if (lead !== undefined) {
      const { leadId, secretSha256 } = lead;
      const durationMs = Math.round(performance.now() - startedAtMs);
      const summary = said === undefined ? undefined : check.summary(said);
      const about = { leadId, service: name, asked, at, durationMs };
      record({ ...about, outcome, said: summary, reason }, secretSha256);
    }
    return said;
  };
}
