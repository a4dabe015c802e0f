/** The pre-submit verification (docs/specification.md#submit-sequence, docs/decisions/0024-checks.md). */
import { askedKey, checkedZip } from '../../model/lead/service-answers.ts';
import type { Ask } from '../checks/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { LeadChecks, LeadToVerify, UnverifiedLead } from './lead-checks.ts';

const names = [
  'zip_code',
  'ip_address',
  'user_agent',
  'trusted_form_cert_id',
  'leadid_token',
] as const;

/** The only five outgoing fields that the verification service gets. */
export type VerificationFields = Readonly<Record<(typeof names)[number], string>>;

/** The most concurrent calls. `catchUp` verifies the leads beyond them later. */
const MAX_UNDER_WAY = 200;

/** Creates the use case that verifies the revisions of leads. */
export function createVerifyLead(options: {
  readonly ask: Ask<VerificationFields, Readonly<Record<string, unknown>>>;
  readonly store: Pick<LeadChecks, 'mayBeTold' | 'save' | 'findUnverified'>;
  readonly now: Clock;
  /** The time-out of a call. */
  readonly timeoutMs: number;
  /** False: the service's circuit is open, so nothing is verified. */
  mayBeAsked(): boolean;
  /** Called with errors of the store. */
  onError(error: unknown): void;
}) {
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

  /**
   * Returns a function that starts a lead's verification; call it after the commit. Returns undefined if the lead
   * lacks a needed field or the service's circuit is open.
   */
  function prepare({ id, revision, fields }: LeadToVerify): (() => void) | undefined {
    if (!mayBeAsked()) return undefined;
    const text = (name: (typeof names)[number]) => {
      const value = fields[name];
      return typeof value === 'string' ? value : '';
    };
    // The service would refuse an invalid zip code, and repeated refusals open the circuit for all leads.
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
    /** Verifies leads that a crashed process or an open circuit left unverified. Idempotent. */
    async catchUp(signal?: AbortSignal): Promise<void> {
      const goesOn = () => mayBeAsked() && !signal?.aborted;
      let last: UnverifiedLead | undefined;
      while (goesOn()) {
        // Another process may still be verifying younger leads.
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
    /** Resolves when no call is under way. */
    async drain(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
