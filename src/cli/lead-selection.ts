/** Which leads a command is about, and reading them in portions. */
import type { Kysely, SqlBool } from 'kysely';
import { sql } from 'kysely';
import { RESEND_NOTE } from '../server/delivery/ledger.ts';
import type { DeliveryRow, LeadRow, Schema } from '../server/storage/schema.ts';
import { CliError, EXIT } from './cli-error.ts';

export type LeadSelection = {
  since?: Date;
  until?: Date;
  survey?: string;
  /** State of the lead or of one of its deliveries. */
  state?: string;
  qualified?: boolean;
};

export type ListedDelivery = Pick<
  DeliveryRow,
  | 'destination'
  | 'state'
  | 'attempts'
  | 'next_attempt_at'
  | 'finished_at'
  | 'external_id'
  | 'last_message'
>;

export type ListedLead = LeadRow & { deliveries: ListedDelivery[] };

/** What `--state` takes. */
export const SELECTABLE_STATES = [
  'accepted',
  'held',
  'waiting',
  'sending',
  'retrying',
  'delivered',
  'rejected',
  'dead',
  'uncertain',
  'no_destination',
] as const;

/**
 * Leads of a selection with their deliveries.
 *
 * @param page.order by time of arrival.
 * @param page.after the last one of the portion before.
 */
export async function selectLeads(
  db: Kysely<Schema>,
  selection: LeadSelection,
  page: { limit: number; order: 'asc' | 'desc'; after?: Pick<LeadRow, 'created_at' | 'id'> },
): Promise<ListedLead[]> {
  const { since, until, survey, state, qualified } = selection;
  const { limit, order, after } = page;
  let query = db.selectFrom('leads').selectAll();
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (until !== undefined) query = query.where('created_at', '<', until);
  if (survey !== undefined) query = query.where('survey', '=', survey);
  if (qualified !== undefined) query = query.where('qualified', '=', qualified);
  if (state !== undefined) {
    query = query.where((where) =>
      where.or([
        sql<SqlBool>`leads.state = ${state}`,
        where.exists(
          where
            .selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.lead_id', '=', 'leads.id')
            .where(sql<SqlBool>`deliveries.state = ${state}`),
        ),
      ]),
    );
  }
  if (after !== undefined) {
    const comparison = sql.raw(order === 'asc' ? '>' : '<');
    query = query.where(
      sql<SqlBool>`(leads.created_at, leads.id) ${comparison} (${after.created_at}, ${after.id}::uuid)`,
    );
  }
  const leads = await query
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(limit)
    .execute();
  if (leads.length === 0) return [];
  const deliveries = await db
    .selectFrom('deliveries')
    .selectAll()
    .where(
      'lead_id',
      'in',
      leads.map((lead) => lead.id),
    )
    .orderBy('destination')
    .execute();
  // Notes of a resend stand among the attempts and are none.
  const notes = await db
    .selectFrom('delivery_attempts')
    .innerJoin('deliveries', 'deliveries.id', 'delivery_attempts.delivery_id')
    .select('delivery_id')
    .where(
      'deliveries.lead_id',
      'in',
      leads.map((lead) => lead.id),
    )
    .where('outcome', '=', RESEND_NOTE)
    .execute();
  const sends = ({ id, attempts }: DeliveryRow) =>
    attempts - notes.filter((note) => note.delivery_id === id).length;
  return leads.map((lead) => ({
    ...lead,
    deliveries: deliveries
      .filter((delivery) => delivery.lead_id === lead.id)
      .map((delivery) => ({ ...delivery, attempts: sends(delivery) })),
  }));
}

/** Every lead of a selection, oldest first, read in portions so that any number of them fits. */
export async function* eachLead(
  db: Kysely<Schema>,
  selection: LeadSelection,
): AsyncGenerator<ListedLead> {
  const limit = 500;
  let after: ListedLead | undefined;
  for (;;) {
    const leads: ListedLead[] = await selectLeads(db, selection, {
      limit,
      order: 'asc',
      ...(after === undefined ? {} : { after }),
    });
    yield* leads;
    after = leads.at(-1);
    if (leads.length < limit) return;
  }
}

/**
 * The one lead whose id begins with `prefix` (hyphens may be left out).
 *
 * @throws CliError: usage when it cannot be the beginning of an id or fits several leads, not found
 * when it fits none.
 */
export async function findLead(db: Kysely<Schema>, prefix: string): Promise<LeadRow> {
  const digits = prefix.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{1,32}$/.test(digits)) {
    throw new CliError(`"${prefix.slice(0, 40)}" is not the beginning of a lead id.`, EXIT.usage);
  }
  // A range of ids, so that the primary key answers it.
  const leads = await db
    .selectFrom('leads')
    .selectAll()
    .where('id', '>=', uuidOf(digits.padEnd(32, '0')))
    .where('id', '<=', uuidOf(digits.padEnd(32, 'f')))
    .limit(2)
    .execute();
  const [lead, another] = leads;
  if (lead === undefined) throw new CliError(`There is no lead ${prefix}.`, EXIT.notFound);
  if (another !== undefined) {
    throw new CliError(
      `More than one lead begins with ${prefix}: give more of the id.`,
      EXIT.usage,
    );
  }
  return lead;
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
