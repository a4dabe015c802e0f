/** Releases or dismisses held leads after an operator's review. */
import type pg from 'pg';
import { calendarDate } from '../../model/fields/dates.ts';
import { mayBeSold, ruleOnSale, rulingText, saleRuleOf } from '../../model/lead/sale.ts';
import {
  END_REASONS,
  holdClause,
  type LeadState,
  NEVER_SENT,
} from '../../model/messages/vocabulary.ts';
import type { RuleResult } from '../../model/rules/qualification.ts';
import type { StateRuleSettings } from '../../model/rules/state-rules.ts';
import { addEvent, chooseAgain } from '../leads/index.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import { isBuyer } from './destinations/index.ts';

/** Returns SQL for the reasons why a lead's newest revision is held. */
export const heldReasons = (leads: string) => `(select coalesce(array_agg(problem->>'reason'), '{}')
  from lead_revisions newest, json_array_elements(newest.problems) as problem
  where newest.lead_id = ${leads}.id and newest.revision = ${leads}.revision
    and problem->>'problem' = 'held')`;

/** Returns SQL for the decisions about a lead's newest revision. */
export const decisionsOn = (leads: string) => `(select decisions from lead_revisions newest
  where newest.lead_id = ${leads}.id and newest.revision = ${leads}.revision)`;

/** Returns why a lead with these hold reasons is never sent (docs/specification.md#holds). */
export function neverSentReason(reasons: readonly string[]): string | undefined {
  const reason = NEVER_SENT.find((each) => reasons.includes(each));
  return reason && END_REASONS[reason];
}

/** The message about a lead of a person who is on the suppression list. */
export const SUPPRESSED =
  'The person has asked not to be contacted: nothing is sent. "suppress --undo" takes that back.';

/** The operator who acts and the operator's reason, as stored in the events of the lead. */
export type Actor = { readonly actor: string; readonly reason?: string | undefined };
/** An operator who acts, with the number of the revision that the operator reviewed. */
type Reviewer = Actor & { readonly revision?: number | undefined };

/** The settings that decide today whether a lead may be sold. */
export type SaleRules = { readonly stateRules: StateRuleSettings; readonly timeZone: string };

/** The facts that decide whether a lead may be released. */
export type Releasable = {
  readonly id: string;
  readonly state: LeadState;
  readonly revision: number;
  readonly reasons: readonly string[];
  readonly is_suppressed: boolean;
  /** The destinations of the held deliveries. */
  readonly held: readonly string[];
  /** Today's decision about the sale. */
  readonly ruling: RuleResult | undefined;
};

/** Returns the states of the address and of the accident that earlier decisions name. */
export function statesOf(decisions: readonly unknown[]): string[] {
  const { inputs } = saleRuleOf(decisions) ?? {};
  return String(inputs?.states ?? inputs?.state ?? '').split(' ');
}

/** Returns today's decision about the sale of a lead with these earlier decisions. */
export function rulingToday(decisions: readonly unknown[], { stateRules, timeZone }: SaleRules) {
  const { inputs } = saleRuleOf(decisions) ?? {};
  if (!inputs) return undefined;
  const day = calendarDate(new Date(), timeZone);
  return ruleOnSale(
    { states: statesOf(decisions), hasChosenFirm: inputs.chosen_firm === 'yes', day },
    stateRules,
  );
}

/** Reads the facts that decide whether leads may be released. `locks` locks the leads. */
export async function readReleasable(
  client: Queryable,
  leadIds: readonly string[],
  { locks, rules }: { locks: boolean; rules: SaleRules },
): Promise<Releasable[]> {
  const lock = 'select 1 from leads where id = any($1::uuid[]) order by id for no key update';
  if (locks) await client.query(lock, [leadIds]);
  const { rows } = await client.query<Releasable & { decisions: readonly unknown[] }>(
    `select id, state, revision, ${heldReasons('leads')} as reasons,
       ${isOnList('leads.id')} as is_suppressed,
       array(select destination from deliveries d where d.lead_id = leads.id and d.state = 'held'
         order by destination) as held,
       ${decisionsOn('leads')} as decisions
     from leads where id = any($1::uuid[])`,
    [leadIds],
  );
  return rows.map((row) => ({ ...row, ruling: rulingToday(row.decisions, rules) }));
}

/** SQL: releases held leads with their held deliveries. */
const RELEASE = `
with released as (
  update leads set state = 'accepted', updated_at = now()
  where id = any($1::uuid[]) and state = 'held'
  returning id
), going as (
  update deliveries set state = 'waiting', due_at = now(), ${chooseAgain('deliveries')}
  where lead_id in (select id from released) and state = 'held'
  returning lead_id
)
select id as lead_id, (select count(*)::int from going where going.lead_id = id) as deliveries
from released`;

/** Releases leads that are locked. Returns the number of deliveries that are now due. */
export async function releaseLocked(
  client: Queryable,
  leads: readonly Pick<Releasable, 'id' | 'revision' | 'reasons' | 'ruling'>[],
  { actor, reason }: Actor,
): Promise<number> {
  const { rows } = await client.query<{ lead_id: string; deliveries: number }>(RELEASE, [
    leads.map(({ id }) => id),
  ]);
  const counts = new Map(rows.map(({ lead_id, deliveries }) => [lead_id, deliveries]));
  const events = leads.map(({ id, revision, reasons, ruling }) => {
    const detail = { revision, reasons, deliveries: counts.get(id) ?? 0, reason, ruling };
    return { kind: 'released', actor, lead_id: id, detail } as const;
  });
  await addEvent(client, ...events);
  return rows.reduce((sum, { deliveries }) => sum + deliveries, 0);
}

/** Locks a held lead. @throws OperatorError if the lead is not held or has a newer revision */
async function lockHeld(client: Queryable, leadId: string, by: Reviewer, rules: SaleRules) {
  const [lead] = await readReleasable(client, [leadId], { locks: true, rules });
  if (lead?.state === 'erased') throw refused('The lead was erased.');
  if (lead?.state !== 'held') throw refused('The lead is not held.');
  if (by.revision === undefined || by.revision === lead.revision) return lead;
  throw refused(`The newest version of the lead is ${lead.revision}: look at it first.`);
}

/**
 * Releases a held lead, and returns the number of deliveries that are now sent.
 * @throws OperatorError if the lead may not be released
 */
export function release(pool: pg.Pool, leadId: string, by: Reviewer, rules: SaleRules) {
  return inTransaction(pool, async (client) => {
    const lead = await lockHeld(client, leadId, by, rules);
    const refusal = releaseRefusal(lead);
    if (refusal !== undefined) throw refused(refusal);
    const { revision, reasons } = lead;
    const deliveries = await releaseLocked(client, [lead], by);
    return { revision, reasons, deliveries };
  });
}

/** Returns why a lead may not be released, or undefined if it may. */
export function releaseRefusal(lead: Omit<Releasable, 'id' | 'revision'>): string | undefined {
  if (lead.state === 'erased') return 'The lead was erased.';
  if (lead.is_suppressed) return SUPPRESSED;
  if (lead.state !== 'held') return 'The lead is not held.';
  return sendRefusal(lead);
}

/** Returns why a lead may not be sent to the destinations in `held`. */
export function sendRefusal(
  { reasons, held, ruling }: Pick<Releasable, 'reasons' | 'held' | 'ruling'>,
  wasSold = false,
): string | undefined {
  const never = neverSentReason(reasons);
  if (never !== undefined) return `${never}: dismiss it, or wait for a corrected post.`;
  const isSale = reasons.includes('state_rule') || held.some(isBuyer);
  if (wasSold || !isSale || mayBeSold(ruling)) return undefined;
  return `${rulingText(ruling)} So the lead cannot be sold. If you have a basis, state it in STATE_RULES and restart; or dismiss the lead.`;
}

/** Closes a held lead without sending the lead. @throws OperatorError if the lead is not held */
export function dismiss(pool: pg.Pool, leadId: string, by: Reviewer, rules: SaleRules) {
  return inTransaction(pool, async (client) => {
    const { revision, reasons } = await lockHeld(client, leadId, by, rules);
    await client.query(
      `update leads set state = 'dismissed', updated_at = now() where id = $1 and state = 'held'`,
      [leadId],
    );
    const detail = { revision, reasons, reason: by.reason };
    await addEvent(client, { kind: 'dismissed', actor: by.actor, lead_id: leadId, detail });
    return { revision, reasons };
  });
}

/** Hold reasons that allow a bulk release: limits of an IP address, and rules that have changed. */
const BULK_HOLDS: readonly string[] = ['over_address_limit', 'over_address_bytes', 'state_rule'];

/** Returns why a bulk release skips this lead; undefined if the lead is released. */
export function bulkReleaseRefusal(lead: Releasable): string | undefined {
  const refusal = releaseRefusal(lead);
  if (refusal !== undefined) return refusal;
  const { reasons } = lead;
  const others = reasons.filter((reason) => !BULK_HOLDS.includes(reason));
  if (reasons.length > 0 && others.length === 0) return undefined;
  return `Held because ${holdClause(others)}: look at this lead and release it alone.`;
}
