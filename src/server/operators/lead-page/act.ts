/** Acts on one lead for the console: checks first, then does it, and tells what was done. */
import type { LeadAction, LeadActionAnswer } from '../../../contract/console/leads.ts';
import type { Role } from '../../../contract/console/people.ts';
import { erase, type People, type Receipt, receiptLines, suppress } from '../../privacy/index.ts';
import { addAuditEntry } from '../access/audit.ts';
import { findLead } from '../find-lead.ts';
import { OperatorError, refused } from '../operator-error.ts';
import { dismiss, release } from '../release.ts';
import { readResendVerdicts, resend } from '../resend.ts';
import { deliveryName, readStory } from '../story.ts';
import { actionsOf } from './actions.ts';
import type { LeadPageContext } from './read-lead.ts';
import { destinationTitle } from './words.ts';

/** What the actions need of the server. */
export type LeadActContext = LeadPageContext & { readonly people: People };

/** Who acts, and why. */
export type Act = { readonly actor: string; readonly role: Role; readonly reason: string };

/** A checked action: `run` does it. The audit log is written in between; an erasure writes it itself. */
export type PreparedAct = { readonly run: () => Promise<LeadActionAnswer> };

/**
 * Prepares a release, dismissal, suppression or erasure.
 * @param revision the revision that the operator reviewed, for a release or dismissal
 * @throws OperatorError when the lead is unknown, or the action is not possible now
 */
export async function prepareAction(
  context: LeadActContext,
  id: string,
  action: LeadAction['action'],
  { actor, role, reason, revision }: Act & { readonly revision?: number },
): Promise<PreparedAct> {
  const story = await readStory(context.db, await findLead(context.pool, id));
  const { refusal = '' } = actionsOf(story, role).find((each) => each.action === action) ?? {};
  if (refusal !== '') throw refused(refusal);
  const { pool, people, settings } = context;
  const tell = (receipts: readonly Receipt[]) => receiptTexts(receipts, settings.operatorsTimeZone);
  switch (action) {
    case 'release':
      return {
        run: async () => {
          const done = await release(pool, id, actor, revision, reason);
          const what = counted(done.deliveries, 'delivery is', 'deliveries are');
          return { done: [`The lead is released; ${what} queued.`] };
        },
      };
    case 'dismiss':
      return {
        run: async () => {
          await dismiss(pool, id, { actor, reason }, revision);
          return { done: ['The lead is dismissed. Nothing is sent.'] };
        },
      };
    case 'suppress':
      return {
        run: async () => {
          const { leads, stopped, receipts } = await suppress(people, id, actor, reason);
          const what = `${counted(leads, 'lead', 'leads')}, ${counted(stopped, 'delivery', 'deliveries')} stopped`;
          return { done: [`The person is on the suppression list: ${what}.`, ...tell(receipts)] };
        },
      };
    case 'erase':
      return {
        run: async () => {
          const { leads, others, receipts } = await erase(people, id, actor, reason, (client) =>
            addAuditEntry(client, { actor, action: 'lead.erased', subject: id, reason }),
          );
          return {
            done: [
              `Erased: ${leads.map((lead) => `lead ${lead}`).join(', ')}.`,
              ...tell(receipts),
              ...(others.length === 0
                ? []
                : [
                    `Not erased, though with the same e-mail address or phone number: ${others.join(', ')}.`,
                  ]),
            ],
          };
        },
      };
  }
}

/**
 * Prepares the resend of one delivery.
 * @throws OperatorError when the lead has no such delivery, or it may not be resent
 */
export async function prepareResend(
  { db, pool }: LeadActContext,
  id: string,
  { deliveryId, force }: { readonly deliveryId: string; readonly force: boolean },
  { actor, reason }: Act,
): Promise<PreparedAct & { readonly destination: string }> {
  const story = await readStory(db, await findLead(pool, id));
  const delivery = story.deliveries.find((each) => each.id === deliveryId);
  const verdict = (await readResendVerdicts(pool, id)).get(deliveryId);
  if (delivery === undefined || verdict === undefined) {
    throw new OperatorError('not_found', 'The lead has no such delivery.');
  }
  if (verdict.refusal !== undefined) throw verdict.refusal;
  if (verdict.needsForce && !force) {
    throw refused(`${verdict.warning} Confirm that it is sent all the same.`);
  }
  const destination = deliveryName(delivery);
  return {
    destination,
    run: async () => {
      await resend(pool, id, { destination, force, actor, reason });
      return { done: [`It is sent to ${destinationTitle(delivery.destination)} again.`] };
    },
  };
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns who must be told. Their own ids of the lead stay on the lead's page, where opening them is logged. */
function receiptTexts(receipts: readonly Receipt[], timeZone: string): string[] {
  return receiptLines(
    receipts.map((receipt) => ({ ...receipt, external_id: null })),
    timeZone,
  ).map((line) => line.trim());
}
