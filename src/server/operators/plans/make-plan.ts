/** Makes a plan: checks and stores what it selects. The plan runner then freezes its list (freeze-plan.ts). */
import type pg from 'pg';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import type { Plan, PlanAction, PlanRequest } from '../../../contract/console/work.ts';
import { inTransaction } from '../../storage/database.ts';
import { wakeJob } from '../../storage/jobs.ts';
import { addAuditEntry } from '../access/audit.ts';
import { parsePostedFilter, recordedFilter } from '../lead-list/filter.ts';
import { OperatorError } from '../operator-error.ts';
import { readPlan } from './read-plans.ts';

/** A person's plans that are made at once. */
const MOST_MAKING = 3;

/** What the list of a plan is made from. */
export type PlanSource =
  | { readonly kind: 'filter'; readonly filter: LeadFilter }
  | { readonly kind: 'leads'; readonly leadIds: readonly string[] }
  /** `since` is a time, or a day of the operators. */
  | { readonly kind: 'recover'; readonly destination: string; readonly since: string };

/** A plan that can be made. */
type CheckedPlan = {
  readonly action: PlanAction;
  readonly reason: string;
  /** What it selects, in words and without personal data. */
  readonly selection: string;
  readonly source: PlanSource;
};

const INSERT = `
insert into plans (id, action, selection, reason, actor, state, source)
select $1, $2, $3, $4, $5, 'making', $6::jsonb
where (select count(*) from plans where actor = $5 and state = 'making') < ${MOST_MAKING}`;

/** Returns the plan of a request. @throws OperatorError `usage` when the request is malformed */
export function checkPlan(request: PlanRequest): CheckedPlan {
  const { action } = request;
  const reason = request.reason.trim();
  if (reason === '') throw usage('A plan needs a reason.');
  const source = sourceOf(request);
  return { action, reason, selection: selectionText(source), source };
}

/**
 * Stores a plan with its entry of the audit log. Its list is frozen from now on; no lead changes.
 *
 * @param plan.actor who makes it
 * @throws OperatorError when the person makes too many plans at once.
 */
export function makePlan(
  pool: pg.Pool,
  plan: CheckedPlan & { readonly id: string; readonly actor: string },
): Promise<Plan> {
  const { id, action, selection, reason, actor, source } = plan;
  return inTransaction(pool, async (client) => {
    // One after the other, so that requests at once are counted.
    await client.query('select 1 from operators where email = $1 for no key update', [actor]);
    const entry = { actor, action: 'plan.made', subject: id, reason };
    await addAuditEntry(client, { ...entry, detail: { action, selection } });
    const values = [id, action, selection, reason, actor, JSON.stringify(source)];
    const { rowCount } = await client.query(INSERT, values);
    if (rowCount === 1) {
      await wakeJob(client, 'plans');
      return readPlan(client, id);
    }
    throw new OperatorError(
      'too_many',
      `${MOST_MAKING} plans of yours are being made: wait until one is ready, or cancel one.`,
    );
  });
}

function sourceOf({ action, recover, leadIds, filter }: PlanRequest): PlanSource {
  const given = [recover, leadIds, filter].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw usage('A plan selects by a filter, by chosen leads, or by what to recover: give one.');
  }
  if (recover !== undefined) {
    if (action !== 'resend') throw usage('Only a resend can recover what failed.');
    return { kind: 'recover', ...recover };
  }
  if (leadIds !== undefined) {
    return { kind: 'leads', leadIds: [...new Set(leadIds.map((id) => id.toLowerCase()))] };
  }
  return { kind: 'filter', filter: parsePostedFilter(filter ?? {}) };
}

function selectionText(source: PlanSource): string {
  if (source.kind === 'recover') {
    return `Deliveries to ${source.destination} that were given up since ${source.since}`;
  }
  if (source.kind === 'leads') {
    const { length } = source.leadIds;
    return length === 1 ? '1 chosen lead' : `${length} chosen leads`;
  }
  const parts = Object.entries(recordedFilter(source.filter)).map(
    ([key, value]) => `${key} ${value}`,
  );
  return parts.length === 0 ? 'All leads' : `Leads with ${parts.join(', ')}`;
}

function usage(message: string): OperatorError {
  return new OperatorError('usage', message);
}
