/** Leads in PostgreSQL: everything that belongs to a lead in one transaction, many leads in one commit. */
import type pg from 'pg';
import type {
  AcceptedLead,
  LeadProblem,
  RevisionChange,
  StoredLead,
} from '../leads/lead-record.ts';
import { type AcceptOutcome, type LeadStore, StoreUnavailableError } from '../leads/ports.ts';
import { inTransaction } from './database.ts';
import { createBatcher } from './leads-batcher.ts';
import { storeErrors } from './leads-errors.ts';
import type { SendJobs } from './leads-jobs.ts';
import {
  deliveryRows,
  INSERT_LEADS,
  LOCK_LEAD,
  leadRow,
  READ_REVISIONS,
  RELEASE_DELIVERIES,
  UPDATE_LEAD,
} from './leads-statements.ts';

/** Leads of one commit at most; with 32 connections there are seldom more. */
const MAX_LEADS_PER_COMMIT = 64;
/** While some batches are being written, the next one is read, decided and answered. */
const COMMITS_AT_ONCE = 3;
/** A transaction of eight costs hardly more than one of a single lead (measured: 0.6 and 1.6 ms). */
const MIN_LEADS_SHARED = 8;
/** Leads that wait at most; more would only wait longer than their visitors do. */
const MAX_PENDING = 5_000;

export type LeadsStoreOptions = {
  pool: pg.Pool;
  sendJobs: SendJobs;
  /** Called after a commit that has brought jobs. */
  wake(): void;
};

export type LeadsStore = LeadStore & {
  /** Resolves when every lead that was taken has been written or refused. */
  drain(): Promise<void>;
};

/** Some leads of a batch are there already: it is rolled back and written without them. */
class LeadsExistError extends Error {
  override readonly name = 'LeadsExistError';
  readonly newIds: ReadonlySet<string>;
  constructor(newIds: ReadonlySet<string>) {
    super('Some of these leads are there already');
    this.newIds = newIds;
  }
}

export function createLeadsStore({ pool, sendJobs, wake }: LeadsStoreOptions): LeadsStore {
  const batcher = createBatcher<AcceptedLead, AcceptOutcome>({
    run: (leads) => storeErrors(() => insertBatch(leads)),
    key: (lead) => lead.id,
    isCommon: (error) => error instanceof StoreUnavailableError,
    maxItems: MAX_LEADS_PER_COMMIT,
    minShared: MIN_LEADS_SHARED,
    maxConcurrent: COMMITS_AT_ONCE,
  });

  async function insertBatch(leads: readonly AcceptedLead[]): Promise<AcceptOutcome[]> {
    let newLeads = leads;
    while (newLeads.length > 0) {
      try {
        await insertNew(newLeads);
        break;
      } catch (error) {
        if (!(error instanceof LeadsExistError)) throw error;
        newLeads = newLeads.filter((lead) => error.newIds.has(lead.id));
      }
    }
    const inserted = new Set(newLeads.map((lead) => lead.id));
    return leads.map((lead) => (inserted.has(lead.id) ? 'inserted' : 'exists'));
  }

  /** Writes all, or throws `LeadsExistError` and writes none. */
  async function insertNew(leads: readonly AcceptedLead[]): Promise<void> {
    const rows = JSON.stringify(leads.map(leadRow));
    const deliveries = leads.flatMap(deliveryRows);
    const jobs = deliveries.filter((row) => row.state === 'waiting').map((row) => String(row.id));
    await inTransaction(
      pool,
      async (client) => {
        // One after the other without waiting: both travel in one round trip.
        const inserting = client.query<{ id: string }>({
          name: 'leads-insert',
          text: INSERT_LEADS,
          values: [rows, JSON.stringify(deliveries)],
        });
        const [{ rows: written }] = await Promise.all([inserting, sendJobs(client, jobs)]);
        if (written.length !== leads.length) {
          throw new LeadsExistError(new Set(written.map((row) => row.id)));
        }
      },
      { idempotent: true },
    );
    if (jobs.length > 0) wake();
  }

  async function revise(
    leadId: string,
    decide: (stored: StoredLead) => AcceptedLead | undefined,
  ): Promise<StoredLead | undefined> {
    let hasJobs = false;
    const stored = await inTransaction(
      pool,
      async (client) => {
        hasJobs = false;
        const before = await readLocked(client, leadId);
        const lead = before && decide(before);
        if (!lead) return before;
        const { rows: added } = await client.query<{ id: string }>({
          name: 'leads-update',
          text: UPDATE_LEAD,
          values: [JSON.stringify([leadRow(lead)]), JSON.stringify(deliveryRows(lead))],
        });
        const addedIds = new Set(added.map((row) => row.id));
        const jobs = lead.deliveries
          .filter(({ id, state }) => state === 'waiting' && addedIds.has(id))
          .map(({ id }) => id);
        if (before.state === 'held' && lead.state === 'accepted') {
          const released = await client.query<{ id: string }>(RELEASE_DELIVERIES, [leadId]);
          jobs.push(...released.rows.map((row) => row.id));
        }
        await sendJobs(client, jobs);
        hasJobs = jobs.length > 0;
        return before;
      },
      { idempotent: true },
    );
    if (hasJobs) wake();
    return stored;
  }

  return {
    async insert(lead) {
      if (batcher.pending >= MAX_PENDING) {
        throw new StoreUnavailableError('Too many leads are waiting to be written');
      }
      return batcher.add(lead);
    },
    revise: (leadId, decide) => storeErrors(() => revise(leadId, decide)),
    drain: () => batcher.drain(),
  };
}

type LockedRow = {
  id: string;
  revision: number;
  state: 'accepted' | 'held';
  problems: LeadProblem[];
  is_test: boolean;
  ip: string | null;
  user_agent: string | null;
};

type RevisionRow = { revision: number; body: Record<string, unknown>; change: RevisionChange };

async function readLocked(client: pg.ClientBase, leadId: string): Promise<StoredLead | undefined> {
  const { rows } = await client.query<LockedRow>({
    name: 'leads-lock',
    text: LOCK_LEAD,
    values: [leadId],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { rows: revisions } = await client.query<RevisionRow>({
    name: 'leads-revisions',
    text: READ_REVISIONS,
    values: [leadId],
  });
  const { id, revision, state, problems, is_test, ip, user_agent } = row;
  return { id, revision, state, problems, isTest: is_test, ip, userAgent: user_agent, revisions };
}
