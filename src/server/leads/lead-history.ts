/** Reads the complete history of one lead. */

import type { IngestAccount } from '../../model/fields/tracking-fields.ts';
import type { Role } from '../../model/messages/console/people.ts';
import type { SuppressionEntry } from '../../model/messages/console/people-requests.ts';
import type { DeliveryState, LeadState } from '../../model/messages/vocabulary.ts';
import type { Override } from '../../model/rules/derive-fields.ts';
import { LEADS_OF_KEYS } from '../platform/database/contact-keys.ts';
import { persistently, type Queryable } from '../platform/database/database.ts';
import { postedText, type Stored, wholeRevision } from '../platform/database/revisions.ts';
import type {
  ClickRow,
  ConsentRow,
  DeliveryAttemptRow,
  DeliveryRow,
  LeadCheckRow,
  LeadEventRow,
  LeadRevisionRow,
  LeadRow,
  PhoneCodeRow,
  ProgressRow,
} from '../platform/database/schema.ts';
import { notFound, usage } from '../platform/operator-error.ts';
import { pauseReasonFor } from '../platform/shown-reason.ts';

export type DeliveryHistory = DeliveryRow & {
  /** The revision that the destination accepted; null if the revision is unknown. */
  delivered_revision: number | null;
  /** The reason why the delivery waits, such as a paused destination; null if unknown. */
  waits_because: string | null;
  log: DeliveryAttemptRow[];
};

/** Another lead of the same person. */
export type OtherLead = {
  id: string;
  created_at: Date;
  state: LeadState;
  /** The destinations to which the lead was sold, each with the time. */
  sold: { destination: string; at: string }[];
};

export type LeadHistory = Awaited<ReturnType<typeof readOnce>>;

/** Reads the history of the only lead whose id begins with `prefix`. @throws OperatorError */
export function readHistory(client: Queryable, prefix: string, role: Role = 'operator') {
  return persistently(() => readOnce(client, prefix, role), { idempotent: true });
}

async function readOnce(client: Queryable, prefix: string, role: Role) {
  const lead = await findLead(client, prefix);
  const { id } = lead;
  const read = async <Row extends object>(text: string): Promise<Row[]> =>
    (await client.query<Row>(text, [id])).rows;
  const of = <Row extends object>(table: string, order: string) =>
    read<Row>(`select * from ${table} where lead_id = $1 order by ${order}`);
  const [clicks, steps, consents, codes, revisions, events, checks] = await Promise.all([
    of<ClickRow>('clicks', 'created_at'),
    of<ProgressRow & { contact_keys: unknown }>('progress', 'seq'),
    readConsents(client, id),
    of<PhoneCodeRow>('phone_codes', 'at'),
    readRevisions(client, id),
    of<LeadEventRow>('lead_events', 'at'),
    of<LeadCheckRow>('lead_checks', 'at'),
  ]);
  const [[mapped], others, suppressions, claims, deliveries, attempts, health] = await Promise.all([
    // Does not read the account's key, which must not leave the database.
    read<{ account: Omit<IngestAccount, 'key'> }>(
      `select jsonb_build_object(
         'campaignId', account->'campaignId', 'supplierId', account->'supplierId') as account
       from visits where lead_id = $1 and account is not null`,
    ),
    readOthers(client, id, revisions),
    read<Omit<SuppressionEntry, 'keyStart' | 'at'> & { created_at: Date }>(
      `select kind, actor, source, created_at from suppressions
       where key in (select email_key from lead_revisions where lead_id = $1
         union select phone_key from lead_revisions where lead_id = $1)
       order by created_at`,
    ),
    read<{ id: string; state: LeadState }>('select id, state from leads where claims_id = $1'),
    of<DeliveryRow>('deliveries', 'destination, event_key'),
    read<DeliveryAttemptRow>(
      `select a.* from delivery_attempts a join deliveries d on d.id = delivery_id
       where lead_id = $1 order by attempt`,
    ),
    read<HealthRow>(
      `select destination, paused_by as "pausedBy", pause_reason as "pauseReason", off_at as "offAt"
       from destination_health
       where destination in (select destination from deliveries where lead_id = $1)
         and (paused_at is not null or off_at is not null)`,
    ),
  ]);
  return {
    lead,
    mapped_account: mapped?.account ?? null,
    is_suppressed: suppressions.length > 0,
    suppressions,
    /** The separate leads that were made from posts without this lead's secret. */
    claims,
    /** Up to 20 other leads with the same phone number or e-mail address, newest first. */
    others,
    clicks,
    consents,
    codes,
    events,
    checks,
    progress: steps.map(({ contact_keys, ...step }) => step),
    revisions: revisions.map((revision) => ({
      ...revision,
      // The keyed hash of an erased lead's body must not be shown.
      body_sha256: lead.erased_at === null ? revision.body_sha256 : '',
    })),
    deliveries: deliveries.map((delivery): DeliveryHistory => {
      const log = attempts.filter((attempt) => attempt.delivery_id === delivery.id);
      const own = health.find((each) => each.destination === delivery.destination);
      return {
        ...delivery,
        delivered_revision: deliveredRevision(delivery, log),
        waits_because: waitReason(delivery, own, role),
        log,
      };
    }),
  };
}

/** Finds the only lead whose id begins with `prefix`. @throws OperatorError */
export async function findLead(client: Queryable, prefix: string): Promise<LeadRow> {
  const digits = prefix.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{1,32}$/.test(digits)) {
    throw usage(`"${prefix.slice(0, 40)}" is not the beginning of a lead id.`);
  }
  // Selects a range of ids, because a search by prefix cannot use the primary key's index.
  const range = 'select * from leads where id between $1 and $2 limit 2';
  const [lead, another] = (await client.query<LeadRow>(range, [...idRange(digits)])).rows;
  if (lead === undefined) throw notFound(`There is no lead ${prefix}.`);
  if (another !== undefined) {
    throw usage(`More than one lead begins with ${prefix}: give more of the id.`);
  }
  return lead;
}

/** Returns the first and last id that begin with these hexadecimal digits. */
export function idRange(digits: string): readonly [string, string] {
  return [uuidOf(digits.padEnd(32, '0')), uuidOf(digits.padEnd(32, 'f'))];
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the consents of a lead with their texts, oldest first. */
export async function readConsents(client: Queryable, leadId: string): Promise<ConsentRow[]> {
  const { rows } = await client.query<ConsentRow>(
    `select c.*, coalesce(c.text, t.text) as text, coalesce(c.ip, l.ip) as ip,
       coalesce(c.user_agent, l.user_agent) as user_agent
     from consents c join leads l on l.id = c.lead_id left join consent_texts t on t.sha256 = c.text_sha256
     where lead_id = $1 order by revision`,
    [leadId],
  );
  return rows;
}

/** Returns the revisions of a lead with all their values, oldest first. */
export async function readRevisions(client: Queryable, leadId: string): Promise<LeadRevisionRow[]> {
  const { rows } = await client.query<Stored<LeadRevisionRow>>(
    `select r.*, ${postedText('r')} as posted
     from lead_revisions r where lead_id = $1 order by revision`,
    [leadId],
  );
  return rows.map(wholeRevision);
}

async function readOthers(
  client: Queryable,
  id: string,
  revisions: readonly LeadRevisionRow[],
): Promise<OtherLead[]> {
  const keys = (name: 'email_key' | 'phone_key') => [
    ...new Set(revisions.flatMap((revision) => revision[name] ?? [])),
  ];
  return (await client.query<OtherLead>(OTHERS, [keys('email_key'), keys('phone_key'), id])).rows;
}

const OTHERS = `
select l.id, l.created_at, l.state, coalesce((
  select jsonb_agg(jsonb_build_object('destination', d.destination, 'at', coalesce(d.finished_at, d.created_at)))
  from deliveries d where d.lead_id = l.id and d.event is null
    and (d.state = 'delivered' or d.may_have_arrived)), '[]') as sold
from leads l where l.id in (${LEADS_OF_KEYS}) and l.id <> $3
order by l.created_at desc limit 20`;

type HealthRow = Parameters<typeof pauseReasonFor>[1] & {
  readonly destination: string;
  readonly offAt: Date | null;
};

function waitReason(
  { state, destination }: DeliveryRow,
  health: HealthRow | undefined,
  role: Role,
): string | null {
  if (health === undefined || (state !== 'waiting' && state !== 'retrying')) return null;
  if (health.offAt !== null) {
    return `${destination} is switched off; the lead goes when its settings are given`;
  }
  const by = health.pausedBy === 'answer' ? '' : ` by ${health.pausedBy}`;
  const words = pauseReasonFor(role, health);
  return `${destination} is paused${by}${words === null ? '' : `: ${words}`}`;
}

function deliveredRevision(delivery: DeliveryRow, log: readonly DeliveryAttemptRow[]) {
  const taken = log.findLast(({ outcome }) => outcome === 'delivered');
  if (taken !== undefined) return taken.revision;
  return delivery.state === 'delivered' ? delivery.revision : null;
}

/** Returns a delivery's name within its lead, such as `ingest` or `webhook lead.accepted`. */
export function deliveryName(of: Pick<DeliveryRow, 'destination' | 'event_key'>): string {
  return `${of.destination} ${of.event_key}`.trim();
}

export function nextAttemptAt<Time>(of: { state: DeliveryState; due_at: Time }): Time | null {
  return of.state === 'waiting' || of.state === 'retrying' ? of.due_at : null;
}

/** Describes how a rule changed an answer of the visitor. */
export function overrideText({ field, answered = '', becomes, rule }: Override): string {
  return `${field}: ${answered === '' ? 'not answered' : `answered “${answered}”`}, sent as “${becomes}” (rule ${rule})`;
}

/** Returns the value if it is an array, otherwise an empty array. */
export function listOf<Item>(value: unknown): Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}
