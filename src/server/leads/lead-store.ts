/** Stores leads in PostgreSQL, many leads in one transaction. */
import type pg from 'pg';
import type { AcceptedLead, LeadStatus, StoredLead } from '../../model/lead/lead-record.ts';
import { createBatcher } from '../platform/database/batcher.ts';
import { sameKey } from '../platform/database/contact-keys.ts';
import { inTransaction, persistently, type Queryable } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import { type StoredParts, wholeBody } from '../platform/database/revisions.ts';
import { StoreUnavailableError } from '../platform/errors.ts';
import {
  ADD_DELIVERIES,
  type AddressLimit,
  COUNT_CLAIMS,
  deliveryRows,
  FIND_LEAD,
  INSERT_LEADS,
  LOCK_LEAD,
  LOCK_VISIT,
  leadRow,
  READ_LEAD,
  textRows,
  UPDATE_LEAD,
} from './lead-statements.ts';

const MAX_LEADS_PER_COMMIT = 64;
/** Maximum number of concurrent transactions, which is low so that each stores many leads. */
const COMMITS_AT_ONCE = 2;
/** Maximum number of leads that wait to be stored. */
const MAX_PENDING = 5_000;

/** Receives the outcomes of posts, for metrics. Gets neither ids nor personal data. */
export type LeadObserver = {
  /** Called after the commit. `hold` is the lead's first hold reason. */
  written(lead: { survey: string; revision: number; hold: string | null }): void;
  /** Called for each refused post. */
  refused(survey: unknown, reason: string): void;
  committed(leads: number, durationMs: number): void;
};

type LeadStoreOptions = {
  pool: pg.Pool;
  /** Called after a commit that adds waiting deliveries. */
  wake(): void;
  /** Called about once per hour for an IP address that posts leads of too many persons. */
  addressIsOver?(): void;
  observer?: LeadObserver | undefined;
};

export type LeadStore = Pick<
  ReturnType<typeof createLeadStore>,
  'insert' | 'find' | 'revise' | 'insertUnauthorized'
>;

type NewLead = ReturnType<typeof newLead>;

/** Creates the store of leads, whose functions throw StoreUnavailableError. */
export function createLeadStore(options: LeadStoreOptions) {
  const { pool, wake, addressIsOver, observer } = options;
  const batcher = createBatcher<NewLead, 'inserted' | 'exists'>({
    run: (leads) => storeErrors(() => insertBatch(leads)),
    key: ({ id }) => id,
    isCommon: (error) => error instanceof StoreUnavailableError,
    maxItems: MAX_LEADS_PER_COMMIT,
    maxConcurrent: COMMITS_AT_ONCE,
    onDone: observer?.committed,
  });

  const transaction = <Result>(work: (client: Queryable) => Promise<Result>) =>
    storeErrors(() => inTransaction(pool, work, { idempotent: true }));

  async function insertBatch(leads: readonly NewLead[]): Promise<('inserted' | 'exists')[]> {
    const inserted = await persistently(() => insertLeads(pool, leads), { idempotent: true });
    if (leads.some(({ id, waits }) => waits && inserted.get(id) === 'accepted')) wake();
    if ([...inserted.values()].includes('first_over_limit')) addressIsOver?.();
    for (const lead of leads) reportInserted(lead, inserted.get(lead.id));
    return leads.map(({ id }) => (inserted.has(id) ? 'inserted' : 'exists'));
  }

  function reportInserted({ survey, hold }: NewLead, inserted: Inserted | undefined): void {
    if (inserted === undefined) return;
    const reason = inserted === 'accepted' ? hold : 'over_address_limit';
    observer?.written({ survey, revision: 1, hold: reason });
  }

  /** Locks the lead, and stores the revision that `decide` returns. */
  async function revise(
    leadId: string,
    bodySha256: string,
    decide: (stored: StoredLead) => AcceptedLead | undefined,
  ): Promise<void> {
    const read = { name: 'leads-read', text: READ_LEAD, values: [leadId, bodySha256] };
    const written = await transaction(async (client) => {
      // Sends two statements at once to save a round trip. PostgreSQL runs them in order.
      const [, { rows }] = await Promise.all([
        client.query({ name: 'leads-lock', text: LOCK_LEAD, values: [leadId] }),
        client.query<Row<StoredLead> & ReadBody>(read),
      ]);
      const lead = rows[0] && decide(storedLead(rows[0]));
      if (!lead) return undefined;
      const values = [JSON.stringify([leadRow(lead)]), JSON.stringify(deliveryRows(lead))];
      await Promise.all([
        client.query({
          name: 'leads-update',
          text: UPDATE_LEAD,
          values: [...values, JSON.stringify(textRows(lead))],
        }),
        client.query({ name: 'leads-add-deliveries', text: ADD_DELIVERIES, values }),
      ]);
      return lead;
    });
    if (!written) return;
    const { survey, revision } = written;
    observer?.written({ survey, revision, hold: holdOf(written) });
    if (waits(written)) wake();
  }

  /** Stores a post without the lead's secret as a separate lead. */
  async function insertUnauthorized(
    lead: AcceptedLead,
    most: number,
  ): Promise<'inserted' | 'exists' | 'too_many'> {
    const row = newLead(lead, null);
    const result = await transaction(async (client) => {
      await client.query(LOCK_VISIT, [lead.claimsId]);
      type Count = { claims: number; is_there: boolean };
      const { rows } = await client.query<Count>(COUNT_CLAIMS, [lead.claimsId, lead.id]);
      if (rows[0]?.is_there) return 'exists';
      if ((rows[0]?.claims ?? 0) >= most) return 'too_many';
      const inserted = await insertLeads(client, [row]);
      // The statement inserts no row if a visit has the new lead's id.
      if (inserted.size === 0)
        throw new StoreUnavailableError('The unauthorized post could not be stored');
      return 'inserted';
    });
    if (result === 'inserted') reportInserted(row, 'accepted');
    return result;
  }

  return {
    /** Stores a new lead. Returns `exists` if the id is already in use. */
    async insert(lead: AcceptedLead, limit: AddressLimit | null): Promise<'inserted' | 'exists'> {
      if (batcher.pending >= MAX_PENDING) {
        throw new StoreUnavailableError('Too many leads are waiting to be written');
      }
      return batcher.add(newLead(lead, limit));
    },
    /** Returns the lead with this id, and the revision of the lead that has this body. */
    find: (leadId: string, bodySha256: string): Promise<LeadStatus | undefined> =>
      storeErrors(async () => {
        const query = { name: 'leads-find', text: FIND_LEAD, values: [leadId, bodySha256] };
        const { rows } = await pool.query<Row<LeadStatus>>(query);
        return rows[0] && { ...rows[0], same: rows[0].same ?? undefined };
      }),
    revise,
    insertUnauthorized,
    /** Resolves after all waiting leads have been stored or refused. */
    drain: () => batcher.drain(),
  };
}

/** Converts a lead to JSON, because many waiting objects would slow down garbage collection. */
function newLead(lead: AcceptedLead, limit: AddressLimit | null) {
  return {
    id: lead.id,
    row: JSON.stringify(leadRow(lead, limit)),
    deliveries: deliveryRows(lead).map((row) => JSON.stringify(row)),
    texts: textRows(lead).map((row) => JSON.stringify(row)),
    waits: waits(lead),
    survey: lead.survey,
    hold: holdOf(lead),
  };
}

function holdOf({ state, problems }: AcceptedLead): string | null {
  if (state !== 'held') return null;
  return problems.find(({ problem }) => problem === 'held')?.reason ?? null;
}

function waits({ deliveries }: AcceptedLead): boolean {
  return deliveries.some(({ state }) => state === 'waiting');
}

type Inserted = 'accepted' | 'over_limit' | 'first_over_limit';

/** Inserts leads, and returns the ids of the inserted leads. */
async function insertLeads(
  client: Queryable,
  leads: readonly NewLead[],
): Promise<ReadonlyMap<string, Inserted>> {
  const rows = leads.map(({ row }) => row);
  const deliveries = leads.flatMap((lead) => lead.deliveries);
  const texts = new Set(leads.flatMap((lead) => lead.texts));
  const inserted = await client.query<{ id: string; inserted: Inserted }>({
    name: 'leads-insert',
    text: INSERT_LEADS,
    values: [rows, deliveries, [...texts]].map((each) => `[${each.join(',')}]`),
  });
  return new Map(inserted.rows.map((row) => [row.id, row.inserted]));
}

type ReadBody = Pick<StoredParts, 'body' | 'posted' | 'merged'>;

function storedLead({ body, posted, ...row }: Row<StoredLead> & ReadBody): StoredLead {
  const merged = row.merged ?? wholeBody({ body, posted });
  return { ...row, merged, same: row.same ?? undefined };
}

type Row<Lead extends LeadStatus> = Omit<Lead, 'same'> & { same: NonNullable<Lead['same']> | null };

const OTHER_LEAD = `
select exists (
  select 1 from (
    select lead_id from lead_revisions where ${sameKey('email_key', '$1')}
    union all select lead_id from lead_revisions where ${sameKey('phone_key', '$2')}
  ) as known join leads l on l.id = known.lead_id
  where l.id <> $3 and l.created_at > now() - $4::int * interval '1 day'
    and l.created_at < coalesce((select created_at from leads where id = $3), 'infinity')
    and l.state in ('accepted', 'held') and not l.is_test and l.claims_id is null
) as found`;

/** Returns whether a lead of the last `days` days has the same e-mail address or phone number. */
export async function hasOtherLead(
  client: Queryable,
  { id, emailKey, phoneKey }: Pick<AcceptedLead, 'id' | 'emailKey' | 'phoneKey'>,
  days: number,
): Promise<boolean> {
  const values = [emailKey, phoneKey, id, days];
  const find = () => client.query<{ found: boolean }>(OTHER_LEAD, values);
  const { rows } = await storeErrors(() => persistently(find, { idempotent: true }));
  return rows[0]?.found ?? false;
}
