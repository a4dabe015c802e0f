/**
 * What the log has of each event: a file of canonical JSON and a salt (docs/evidence.md). Both follow from the stored
 * rows, which are written once, so that they can be made again for a pack.
 */
import { createHmac, hash } from 'node:crypto';
import { readSeen, type SeenConsent } from '../../../domain/seen-consent.ts';
import { canonicalJson } from '../../../evidence/canonical-json.ts';
import type { ConsentRecord, LeadProblem } from '../../../intake/lead-record.ts';
import type { Queryable } from '../../storage/database.ts';
import { leafHash } from './tree.ts';

/** One entry of the log. */
export type LoggedEntry = {
  readonly leadId: string;
  /** The row that it is made of. */
  readonly of: EntryKey;
  /** The file in a pack. */
  readonly path: string;
  readonly bytes: Buffer;
  /** 32 bytes. */
  readonly salt: Buffer;
  readonly leaf: Buffer;
};

/** A revision of a lead, or an attempt of a delivery. */
export type EntryKey = { readonly ref: string; readonly number: number };

/** Is told of a row that gives no entry, such as one that has no canonical form. */
export type Unmade = (of: EntryKey, error: unknown) => void;

/** Makes entries of rows. @throws if a row gives none and `unmade` is not there to be told */
function made<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => EntryKey,
  make: (row: Row, of: EntryKey) => LoggedEntry[],
  unmade: Unmade | undefined,
): LoggedEntry[] {
  return rows.flatMap((row) => {
    const of = keyOf(row);
    try {
      return make(row, of);
    } catch (error) {
      if (!unmade) throw error;
      unmade(of, error);
      return [];
    }
  });
}

function entry(
  of: EntryKey,
  leadSalt: string,
  path: string,
  content: Readonly<Record<string, unknown>> & { readonly leadId: string },
): LoggedEntry {
  const bytes = Buffer.from(canonicalJson(wellFormed(content)));
  const key = Buffer.from(leadSalt.replaceAll('-', ''), 'hex');
  const salt = createHmac('sha256', key).update(path).digest();
  const leaf = leafHash(hash('sha256', Buffer.concat([salt, bytes]), 'buffer'));
  return { leadId: content.leadId, of, path, bytes, salt, leaf };
}

/** Returns a value whose texts have a canonical form, whatever a visitor's browser had sent. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.toWellFormed(), wellFormed(each)]),
  );
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

type RevisionRow = {
  readonly leadId: string;
  readonly revision: number;
  readonly salt: string;
  readonly receivedAt: Date;
  readonly problems: readonly LeadProblem[];
  readonly rulesVersion: string;
  readonly flowVersion: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The consent; its `text` is null if this revision brought none. */
  readonly text: string | null;
  readonly textSha256: string;
  readonly version: string;
  readonly language: string;
  readonly page: string;
  readonly shownAt: Date | null;
  readonly givenAt: Date | null;
  readonly consentIp: string | null;
  readonly consentUserAgent: string | null;
  readonly certificate: string | null;
  readonly sentText: string | null;
  readonly buyers: ConsentRecord['buyers'];
};

// Erased leads have no salt, and expired ones no fields.
const REVISIONS = `
select l.id as "leadId", r.revision, l.evidence_salt as salt, r.received_at as "receivedAt", r.problems,
  r.rules_version as "rulesVersion", r.flow_version as "flowVersion", r.fields, r.body, l.ip,
  l.user_agent as "userAgent", c.text, c.text_sha256 as "textSha256", c.version, c.language, c.page,
  c.shown_at as "shownAt", c.given_at as "givenAt", c.ip as "consentIp", c.user_agent as "consentUserAgent",
  c.certificate, c.sent_text as "sentText", c.buyers
from json_to_recordset($1::json) as k(ref uuid, number integer)
join leads l on l.id = k.ref
join lead_revisions r on r.lead_id = k.ref and r.revision = k.number
left join consents c on c.lead_id = k.ref and c.revision = k.number
where l.evidence_salt is not null and l.erased_at is null
order by r.received_at, l.id, r.revision`;

/** Returns the entries of revisions and of their consents. @throws without `unmade`, if a row gives none */
export async function revisionEntries(
  client: Queryable,
  keys: readonly EntryKey[],
  unmade?: Unmade,
): Promise<LoggedEntry[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<RevisionRow>({
    name: 'evidence-revisions',
    text: REVISIONS,
    values: [JSON.stringify(keys)],
  });
  const make = (row: RevisionRow, of: EntryKey) => {
    const revision = entry(of, row.salt, `logged/revision-${row.revision}.json`, revisionOf(row));
    const { text } = row;
    if (text === null) return [revision];
    const consent = consentOf({ ...row, text });
    return [revision, entry(of, row.salt, `logged/consent-${row.revision}.json`, consent)];
  };
  return made(rows, ({ leadId, revision }) => ({ ref: leadId, number: revision }), make, unmade);
}

function revisionOf(row: RevisionRow) {
  const { leadId, revision, rulesVersion, fields, body } = row;
  const held = row.problems.filter(({ problem }) => problem === 'held');
  return {
    ...{ kind: 'revision', leadId, revision, rulesVersion, fields },
    receivedAt: iso(row.receivedAt),
    accepted: held.length === 0,
    reasons: held.map(({ reason = '' }) => reason),
    address: row.ip,
    userAgent: row.userAgent,
    page: typeof body.landing_page === 'string' ? body.landing_page : '',
  };
}

/** A consent as it is logged. */
export type LoggedConsent = ReturnType<typeof consentOf>;
/** A delivery as it is logged. */
export type LoggedDelivery = Omit<DeliveryRow, 'salt' | 'startedAt' | 'endedAt'> & {
  readonly startedAt: string;
  readonly endedAt: string;
};

function consentOf(row: RevisionRow & { readonly text: string }) {
  const { leadId, revision, text, textSha256, version, language, page } = row;
  const { how, visibility, visibilityMissing } = seenOf(row.body);
  return {
    ...{ kind: 'consent', leadId, revision, text, textSha256, version, language, page },
    pageVersion: row.flowVersion,
    shownAt: iso(row.shownAt),
    givenAt: iso(row.givenAt),
    ...{ how, visibility, visibilityMissing },
    buyers: row.buyers.length > 0 ? row.buyers : null,
    address: row.consentIp,
    userAgent: row.consentUserAgent,
    certificate: row.certificate,
    sentText: row.sentText,
  };
}

/** Returns how a consent was given and seen. Without JavaScript only the server's own knowledge is there. */
function seenOf(body: RevisionRow['body']): {
  how: SeenConsent['how'] | 'form' | null;
  visibility: SeenConsent | null;
  visibilityMissing: string | null;
} {
  const seen = readSeen(body.consent_seen);
  if (seen === 'not_sent' && typeof body.came_by === 'string' && body.came_by.startsWith('form')) {
    return { how: 'form', visibility: null, visibilityMissing: 'no_script' };
  }
  if (typeof seen === 'string') return { how: null, visibility: null, visibilityMissing: seen };
  return { how: seen.how, visibility: seen, visibilityMissing: null };
}

type DeliveryRow = {
  readonly leadId: string;
  readonly salt: string;
  readonly revision: number;
  readonly destination: string;
  readonly attempt: number;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
  readonly requestSha256: string | null;
};

const DELIVERIES = `
select d.id, d.lead_id as "leadId", l.evidence_salt as salt, coalesce(a.revision, d.revision, 0) as revision,
  d.destination, a.attempt, a.started_at as "startedAt", a.ended_at as "endedAt", a.outcome,
  a.sent_sha256 as "requestSha256"
from json_to_recordset($1::json) as k(ref uuid, number integer)
join deliveries d on d.id = k.ref
join delivery_attempts a on a.delivery_id = k.ref and a.attempt = k.number
join leads l on l.id = d.lead_id
where l.evidence_salt is not null and l.erased_at is null
order by a.ended_at, d.id, a.attempt`;

/** Returns the entries of ended attempts to deliver a lead. @throws as `revisionEntries` */
export async function deliveryEntries(
  client: Queryable,
  keys: readonly EntryKey[],
  unmade?: Unmade,
): Promise<LoggedEntry[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<DeliveryRow & { readonly id: string }>({
    name: 'evidence-deliveries',
    text: DELIVERIES,
    values: [JSON.stringify(keys)],
  });
  const make = ({ id: _, salt, ...row }: (typeof rows)[number], of: EntryKey) => [
    entry(of, salt, `logged/delivery-${row.destination}-${row.attempt}.json`, {
      kind: 'delivery',
      ...row,
      startedAt: iso(row.startedAt),
      endedAt: iso(row.endedAt),
    }),
  ];
  return made(rows, ({ id, attempt }) => ({ ref: id, number: attempt }), make, unmade);
}
