/** Previews, checks and runs the console's actions on a lead or its person. */
import type pg from 'pg';
import type { LeadAction, LeadActionAnswer } from '../../model/messages/console/leads.ts';
import { type Role, roles } from '../../model/messages/console/people.ts';
import { holdClause } from '../../model/messages/vocabulary.ts';
import {
  dismiss,
  readBuyerNames,
  readResendVerdicts,
  release,
  releaseRefusal,
  resend,
  rulingToday,
  type SaleRules,
} from '../delivery/index.ts';
import { deliveryName, type LeadHistory, readHistory } from '../leads/index.ts';
import { addAuditEntry } from '../people/index.ts';
import { notFound, refused } from '../platform/operator-error.ts';
import { erase, type People, type Receipt, receiptLines, suppress } from '../privacy/index.ts';
import type { Settings } from '../settings/settings.ts';
import { holdReasons } from './outcome.ts';
import { counted, destinationTitle } from './words.ts';

type LeadActContext = {
  readonly pool: pg.Pool;
  readonly people: People;
  readonly settings: Pick<Settings, 'operatorsTimeZone' | 'stateRules' | 'timeZone'>;
};

/** The operator who acts, with the operator's role and reason. */
export type Act = { readonly actor: string; readonly role: Role; readonly reason: string };
/** An action with the number of the revision that the operator reviewed. */
type ReviewedAct = Act & { readonly revision?: number };

/** A checked action. The caller must write the audit log before calling `run`. */
export type PreparedAct = { readonly run: () => Promise<LeadActionAnswer> };

type Rule = {
  readonly least: Role;
  /** Describes the action's effect, for the operator. */
  readonly means: (history: LeadHistory) => string;
  /** Returns the reason why the action is impossible, or an empty text. */
  readonly refusal: (history: LeadHistory, rules: SaleRules) => string;
  /** Runs the action. Returns sentences that tell the operator what was done. */
  readonly run: (context: LeadActContext, id: string, act: ReviewedAct) => Promise<string[]>;
};

const rules: Readonly<Record<LeadAction['action'], Rule>> = {
  release: {
    least: 'operator',
    means: (history) =>
      `Releases version ${history.lead.revision}, held because ${holdClause(holdReasons(history))}. It is sent to ` +
      'its destinations, as far as its consent allows. What was sent cannot be called back. A later post with new ' +
      'reasons is held again.',
    refusal: (history, rules) => {
      const { lead, is_suppressed, deliveries, revisions } = history;
      const ruling = rulingToday(revisions.at(-1)?.decisions ?? [], rules);
      const held = deliveries.flatMap((each) => (each.state === 'held' ? [each.destination] : []));
      const facts = { reasons: holdReasons(history), held, ruling };
      return releaseRefusal({ state: lead.state, is_suppressed, ...facts }) ?? '';
    },
    async run({ pool, settings }, id, act) {
      const { deliveries } = await release(pool, id, act, settings);
      const queued = counted(deliveries, 'delivery is', 'deliveries are');
      return [`The lead is released; ${queued} queued.`];
    },
  },
  dismiss: {
    least: 'operator',
    means: (history) =>
      `Closes this lead, held because ${holdClause(holdReasons(history))}, without sending it. ` +
      'Only a corrected post of the same visitor opens it again.',
    refusal: ({ lead }) => (lead.state === 'held' ? '' : 'The lead is not held.'),
    async run({ pool, settings }, id, act) {
      await dismiss(pool, id, act, settings);
      return ['The lead is dismissed. Nothing is sent.'];
    },
  },
  suppress: {
    least: 'operator',
    means: () =>
      'Puts the e-mail address and phone number of this person on the suppression list. Nothing about them is sent ' +
      'any more, also not their other leads, and open deliveries stop at once. What was sent cannot be called back.',
    refusal: ({ lead, revisions, is_suppressed }) => {
      if (lead.state === 'erased') return 'The lead was erased: its person is not known any more.';
      if (!revisions.some(({ email_key, phone_key }) => email_key ?? phone_key)) {
        return 'The lead has neither an e-mail address nor a phone number.';
      }
      return is_suppressed ? 'The person is on the suppression list already.' : '';
    },
    async run({ people, settings }, id, { actor, reason }) {
      const { leads, stopped, receipts } = await suppress(people, id, { actor, reason });
      const what = `${counted(leads, 'lead')}, ${counted(stopped, 'delivery', 'deliveries')} stopped`;
      return [
        `The person is on the suppression list: ${what}.`,
        ...receiptTexts(receipts, settings.operatorsTimeZone),
      ];
    },
  },
  erase: {
    least: 'admin',
    means: ({ claims }) => {
      const unauthorized =
        claims.length === 0 ? '' : ' and the unauthorized posts to it by the same person';
      return (
        `Removes everything that this person said in this lead${unauthorized}, for good. Hashes, times and where it ` +
        'went stay as proof. Their other leads stay: erase those by e-mail address.'
      );
    },
    refusal: ({ lead }) => (lead.state === 'erased' ? 'The lead was erased already.' : ''),
    async run({ people, settings }, id, { actor, reason }) {
      const { leads, others, receipts } = await erase(people, id, actor, reason, (client) =>
        addAuditEntry(client, { actor, action: 'lead.erased', subject: id, reason }),
      );
      const same = 'Not erased, though with the same e-mail address or phone number:';
      return [
        `Erased: ${leads.map((lead) => `lead ${lead}`).join(', ')}.`,
        ...receiptTexts(receipts, settings.operatorsTimeZone),
        ...(others.length === 0 ? [] : [`${same} ${others.join(', ')}.`]),
      ];
    },
  },
};

function refusalOf(rule: Rule, history: LeadHistory, role: Role, saleRules: SaleRules): string {
  const isAllowed = roles.indexOf(role) >= roles.indexOf(rule.least);
  return isAllowed ? rule.refusal(history, saleRules) : `Only an ${rule.least} can do this.`;
}

/** Returns all actions on a lead, each with the information whether the role may run it now. */
export function actionsOf(history: LeadHistory, role: Role, saleRules: SaleRules): LeadAction[] {
  const all = Object.entries(rules) as [LeadAction['action'], Rule][];
  return all.map(([action, rule]) => ({
    action,
    means: rule.means(history),
    refusal: refusalOf(rule, history, role, saleRules),
  }));
}

/** Prepares an action. @throws OperatorError if the action is impossible */
export async function prepareAction(
  context: LeadActContext,
  id: string,
  action: LeadAction['action'],
  act: ReviewedAct,
): Promise<PreparedAct> {
  const rule = rules[action];
  const history = await readHistory(context.pool, id);
  const refusal = refusalOf(rule, history, act.role, context.settings);
  if (refusal !== '') throw refused(refusal);
  return { run: async () => ({ done: await rule.run(context, id, act) }) };
}

/** Prepares a resend. @throws OperatorError if the resend is impossible */
export async function prepareResend(
  { pool, settings }: LeadActContext,
  id: string,
  { deliveryId, force }: { readonly deliveryId: string; readonly force: boolean },
  { actor, reason }: Act,
): Promise<PreparedAct & { readonly destination: string }> {
  const history = await readHistory(pool, id);
  const delivery = history.deliveries.find((each) => each.id === deliveryId);
  const verdict = (await readResendVerdicts(pool, id, settings)).get(deliveryId);
  if (delivery === undefined || verdict === undefined) {
    throw notFound('The lead has no such delivery.');
  }
  if (verdict.refusal !== undefined) throw refused(verdict.refusal);
  if (verdict.doubt !== undefined && !force) {
    throw refused(`${verdict.warning} Confirm that it is sent all the same.`);
  }
  const destination = deliveryName(delivery);
  return {
    destination,
    run: async () => {
      await resend(pool, id, { destination, force, actor, reason }, settings);
      const to = destinationTitle(delivery.destination, await readBuyerNames(pool));
      return { done: [`The lead is sent to ${to} again.`] };
    },
  };
}

function receiptTexts(receipts: readonly Receipt[], timeZone: string): string[] {
  return receiptLines(
    receipts.map((receipt) => ({ ...receipt, external_id: null })),
    timeZone,
  ).map((line) => line.trim());
}
