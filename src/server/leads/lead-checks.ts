/** Records checks by third parties, and verifies leads (docs/specification.md#submit-sequence). */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { toJson } from '../../model/lead/body.ts';
import { askedKey, checkedZip } from '../../model/lead/context.ts';
import type { AcceptedLead } from '../../model/lead/lead-record.ts';
import type { Ask, LeadCheck } from '../checks/index.ts';
import type { Clock } from '../platform/clock.ts';
import { createBatcher } from '../platform/database/batcher.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import { persistently } from '../platform/database/database.ts';
import { cleanDatabaseError } from '../platform/database/database-error.ts';
import { outgoing } from '../platform/database/revisions.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import { columnsOf } from './lead-statements.ts';

/** Maximum number of recorded checks per lead before the lead is posted. */
const MAX_CHECKS_OF_LEAD = 100;
const MAX_ITEMS = 100;
/** Maximum number of checks that wait to be stored. Checks beyond this number are not stored. */
const MAX_PENDING = 5_000;
/** Delay before a check is recorded again if the visit was not saved yet. */
const AGAIN_MS = 5_000;

// `for share` makes a concurrent erasure wait, so that no check of an erased lead is stored.
const RECORD = `
with given as (
  select * from json_to_recordset($1::json) as row(id uuid, lead_id uuid, secret_sha256 text,
    revision integer, service text, asked_sha256 text, at timestamptz, duration_ms integer,
    outcome text, said jsonb, reason text)
), theirs as (
  select given.* from given join visits v on v.lead_id = given.lead_id
  where v.erased_at is null and (given.revision is not null
    or v.secret_sha256 is not distinct from given.secret_sha256 and ${MAX_CHECKS_OF_LEAD} > (
      select count(*) from lead_checks c where c.lead_id = given.lead_id))
  order by given.lead_id for share of v
), written as (
  insert into lead_checks
    (id, lead_id, revision, service, asked_sha256, at, duration_ms, outcome, said, reason)
  select id, lead_id, revision, service, asked_sha256, at, duration_ms, outcome, said, reason
  from theirs
  on conflict do nothing
), woken as (
update deliveries d set due_at = now()
from given join leads l on l.id = given.lead_id and l.revision = given.revision
where d.lead_id = given.lead_id and d.destination = any($2::text[])
  and d.state = 'waiting' and d.due_at > now() and d.attempts = d.attempts_before_round
  -- A visitor may still choose law firms; see docs/specification.md#later-choice.
  and not exists (select 1 from lead_revisions r where r.lead_id = l.id and r.revision = l.revision
    and ${outgoing('r', 'selected_buyers_number')} = '0')
returning 1
)
select (select count(*)::int from woken) as woken, array(
  select given.lead_id from given left join visits v on v.lead_id = given.lead_id where v.lead_id is null) as unknown`;

/** SQL: returns a row if the lead may be shared with a third party. */
const MAY_BE_SHARED = `
select 1 from leads l
where l.id = $1 and l.state = 'accepted' and l.erased_at is null and not l.sec_gpc
  and not ${isOnList('l.id')}`;

type LeadToVerify = Pick<AcceptedLead, 'id' | 'revision' | 'fields'>;

type Row = LeadCheck & { readonly revision?: number; readonly secretSha256?: string | null };

export type LeadChecks = ReturnType<typeof createLeadChecks>;

/** Creates the store of checks. */
export function createLeadChecks(options: {
  pool: pg.Pool;
  log: Logger;
  waiting: readonly string[];
  wake(): void;
  againMs?: number;
}) {
  const { pool, log, waiting, wake, againMs = AGAIN_MS } = options;

  const writes = createBatcher<Row, 'written' | 'unknown'>({
    async run(rows) {
      const values = [toJson(rows.map(rowOf)), waiting];
      type Recorded = { readonly woken: number; readonly unknown: readonly string[] };
      const recorded = await persistently(
        () => pool.query<Recorded>({ name: 'lead-checks-record', text: RECORD, values }),
        { idempotent: true },
      );
      const [{ woken, unknown } = { woken: 0, unknown: [] }] = recorded.rows;
      if (woken > 0) wake();
      return rows.map(({ leadId }) => (unknown.includes(leadId) ? 'unknown' : 'written'));
    },
    // A batch has one check per lead, because two requests may contain different secrets.
    key: ({ leadId }) => leadId,
    maxItems: MAX_ITEMS,
  });

  async function record(check: Row, isAgain = false): Promise<void> {
    if (writes.pending >= MAX_PENDING) return;
    try {
      const isUnknown = (await writes.add(check)) === 'unknown';
      if (isUnknown && !isAgain) setTimeout(() => void record(check, true), againMs).unref();
    } catch (error) {
      const { service } = check;
      log.warn({ service, err: cleanDatabaseError(error) }, 'Could not record a check');
    }
  }

  return {
    /** Records a check without delaying the caller. */
    record: (check: LeadCheck, secretSha256: string | null): void =>
      void record({ ...check, secretSha256 }),
    async mayBeShared(leadId: string): Promise<boolean> {
      const query = { name: 'lead-checks-shareable', text: MAY_BE_SHARED, values: [leadId] };
      return (await pool.query(query)).rowCount === 1;
    },
    /** Stores the verification of a revision. */
    async save(check: LeadCheck & { readonly revision: number }): Promise<void> {
      await writes.add(check);
    },
    drain: () => writes.drain(),
  };
}

function rowOf({ asked, at, ...check }: Row): Record<string, unknown> {
  return columnsOf({ ...check, id: uuid(), askedSha256: asked, at: at.toISOString() });
}

const names = [
  'zip_code',
  'ip_address',
  'user_agent',
  'trusted_form_cert_id',
  'leadid_token',
] as const;

/** The five fields of a lead that the verification service receives. */
export type VerificationFields = Readonly<Record<(typeof names)[number], string>>;

/** Maximum number of concurrent verifications. */
const MAX_UNDER_WAY = 200;

/** Creates the use case in which a third party verifies leads. */
export function createVerifyLead(options: {
  readonly ask: Ask<VerificationFields, Readonly<Record<string, unknown>>>;
  readonly store: Pick<LeadChecks, 'mayBeShared' | 'save'>;
  readonly now: Clock;
  /** Returns false while the service's circuit breaker is open. */
  mayBeAsked(): boolean;
  onError(error: unknown): void;
}) {
  const { ask, store, now, mayBeAsked, onError } = options;
  const underWay = new Set<Promise<void>>();

  async function verify(lead: Pick<LeadToVerify, 'id' | 'revision'>, fields: VerificationFields) {
    if (!(await store.mayBeShared(lead.id))) return;
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

  /** Returns a function that starts the verification; undefined if the lead cannot be verified. */
  function prepare({ id, revision, fields }: LeadToVerify): (() => void) | undefined {
    if (!mayBeAsked()) return undefined;
    const text = (name: (typeof names)[number]) => fields[name] ?? '';
    // Skips leads that the service would refuse. Refused values could open the circuit breaker.
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
    async drain(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
