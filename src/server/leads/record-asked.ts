import { askedKey } from '../../intake/service-answers.ts';
import type { Asked, CheckedService, CheckRecord, Clock, OwnedLead } from './ports.ts';

/** Where a use case records what it asked a third party about a lead. */
export type Recording = { readonly record: CheckRecord['record']; readonly now: Clock };

/**
 * Asks once, and records it with the lead.
 * @param about.value what was asked, as text: only its hash is kept
 * @param about.summary what of the answer is recorded; nothing of who the lead is
 */
export async function askAndRecord<Said>(
  ask: () => Promise<Asked<Said>>,
  about: {
    readonly lead: OwnedLead;
    readonly service: CheckedService;
    readonly value: string;
    summary(said: Said): Readonly<Record<string, unknown>>;
  },
  { record, now }: Recording,
): Promise<Said | undefined> {
  const { lead, service, value, summary } = about;
  const at = now();
  const { outcome, durationMs, said, reason } = await ask();
  record(
    {
      leadId: lead.leadId,
      service,
      asked: askedKey(service, value),
      at,
      durationMs,
      outcome,
      said: said === undefined ? undefined : summary(said),
      reason,
    },
    lead.secretSha256,
  );
  return said;
}
