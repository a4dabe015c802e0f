/** The pre-submit verification (docs/specification.md#submit-sequence, docs/decisions/0024-checks.md). */
import { askedKey, checkedZip } from '../../intake/service-answers.ts';
import type { Ask, Clock, LeadCheck } from './ports.ts';

const names = [
  'zip_code',
  'ip_address',
  'user_agent',
  'trusted_form_cert_id',
  'leadid_token',
] as const;

/** What is sent: these five fields of a lead as it goes out, and nothing else. */
export type VerificationFields = Readonly<Record<(typeof names)[number], string>>;

/** A revision of a lead that is to be verified. */
export type LeadToVerify = {
  readonly id: string;
  readonly revision: number;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** One that has no answer yet, and its place among them. */
export type UnverifiedLead = LeadToVerify & {
  /** As PostgreSQL writes it, with its microseconds. */
  readonly createdAt: string;
};

export type VerificationStore = {
  /** Whether anything of this lead may be told to anybody: not held, not erased, not on the suppression list. */
  mayBeTold(leadId: string): Promise<boolean>;
  /** Keeps how it ended, the first time, and lets the delivery go that waits for it. */
  save(check: LeadCheck & { readonly revision: number }): Promise<void>;
  /**
   * Returns a page of the leads of the last quarter of an hour that were posted before `olderThanMs` and
   * have none, the newest first; the page after the last one is empty.
   * @param after the last lead of the page before
   */
  findUnverified(
    olderThanMs: number,
    after?: Pick<UnverifiedLead, 'id' | 'createdAt'>,
  ): Promise<readonly UnverifiedLead[]>;
};

/** Calls under way at once; what is beyond them is found by the next look for unverified leads. */
const MAX_UNDER_WAY = 200;

export type VerifyLead = {
  /**
   * Takes what the verification needs out of a lead, and returns what starts it: to be called after
   * the commit. Undefined: the lead lacks what the service needs, or the service is left alone.
   */
  prepare(lead: LeadToVerify): (() => void) | undefined;
  /** Verifies what a process that died, or a service that was left alone, has left; again is no harm. */
  catchUp(signal?: AbortSignal): Promise<void>;
  /** Resolves when nothing is under way. */
  drain(): Promise<void>;
};

export function createVerifyLead(options: {
  readonly ask: Ask<VerificationFields, Readonly<Record<string, unknown>>>;
  readonly store: VerificationStore;
  readonly now: Clock;
  /** How long a call may take. */
  readonly timeoutMs: number;
  /** False: the service fails again and again and is left alone, so nothing at all is done. */
  mayBeAsked(): boolean;
  /** Called with what went wrong in the store. */
  onError(error: unknown): void;
}): VerifyLead {
  const { ask, store, now, timeoutMs, mayBeAsked, onError } = options;
  const underWay = new Set<Promise<void>>();

  async function verify(lead: Pick<LeadToVerify, 'id' | 'revision'>, fields: VerificationFields) {
    if (!(await store.mayBeTold(lead.id))) return;
    const at = now();
    const { outcome, said, durationMs, reason } = await ask(fields);
    await store.save({
      leadId: lead.id,
      revision: lead.revision,
      service: 'verification',
      asked: askedKey('verification', JSON.stringify(fields)),
      at,
      outcome,
      said,
      reason,
      durationMs,
    });
  }

  function prepare({ id, revision, fields }: LeadToVerify): (() => void) | undefined {
    if (!mayBeAsked()) return undefined;
    const text = (name: (typeof names)[number]) => {
      const value = fields[name];
      return typeof value === 'string' ? value : '';
    };
    // What is no zip code would only be refused, and refusals in a row open the circuit for everybody.
    if (checkedZip(text('zip_code')) === undefined || text('ip_address') === '') return undefined;
    const wanted = Object.fromEntries(names.map((name) => [name, text(name)]));
    return () => {
      if (underWay.size >= MAX_UNDER_WAY) return;
      const call = verify({ id, revision }, wanted as VerificationFields).catch(onError);
      underWay.add(call);
      void call.finally(() => underWay.delete(call));
    };
  }

  return {
    prepare,
    async catchUp(signal) {
      const goesOn = () => mayBeAsked() && !signal?.aborted;
      let last: UnverifiedLead | undefined;
      while (goesOn()) {
        // What is younger may be under way in another process.
        const page = await store.findUnverified(2 * timeoutMs + 5_000, last);
        last = page.at(-1);
        if (last === undefined) return;
        for (const lead of page) {
          while (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay);
          if (!goesOn()) return;
          prepare(lead)?.();
        }
      }
    },
    async drain() {
      await Promise.all(underWay);
    },
  };
}
