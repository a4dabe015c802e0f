import { askedKey } from '../../intake/service-answers.ts';
import type { Clock } from '../base/clock.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import type { Asked, CheckedService, CheckRecord } from './ask.ts';

export type Recording = { readonly record: CheckRecord['record']; readonly now: Clock };

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
