/** Makes the entries of the evidence log (docs/evidence.md). */
import { createHmac, hash } from 'node:crypto';
import { canonicalJson } from '../../model/evidence/encoding.ts';
import type { ConsentRecord } from '../../model/lead/consent.ts';
import type { LeadProblem } from '../../model/lead/lead-record.ts';
import { readSeen, type SeenConsent } from '../../model/lead/seen-consent.ts';
import { readAuthorization } from '../../model/rules/authorization-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { type Stored, storedColumns, wholeRevision } from '../platform/database/revisions.ts';
import type { ConsentRow, LeadRevisionRow } from '../platform/database/schema.ts';
import { leafHash } from './tree.ts';

export type LoggedEntry = {
  readonly leadId: string;
  readonly of: EntryKey;
  /** The path of the file in a pack. */
  readonly path: string;
  readonly bytes: Buffer;
  /** 32 random bytes that are hashed with the file, so that the hash reveals nothing. */
  readonly salt: Buffer;
  readonly leaf: Buffer;
};

/** A logged row: a revision (`ref` is the lead) or an attempt (`ref` is the delivery). */
export type EntryKey = { readonly ref: string; readonly number: number };

type Unmade = (of: EntryKey) => void;

/** Returns a value as canonical JSON without invalid Unicode. */
export function wellFormedJson(value: unknown): string {
  return canonicalJson(wellFormed(JSON.parse(JSON.stringify(value))));
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.toWellFormed(), wellFormed(each)]),
  );
}

type Row = EntryKey & { readonly leadId: string; readonly salt: string };

async function entriesOf<Read extends Row>(
  client: Queryable,
  query: { readonly name: string; readonly text: string },
  keys: readonly EntryKey[],
  filesOf: (row: Read) => readonly (readonly [path: string, content: object])[],
  unmade: Unmade = () => undefined,
): Promise<LoggedEntry[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<Read>({ ...query, values: [JSON.stringify(keys)] });
  return rows.flatMap((row) => {
    const { ref, number, leadId } = row;
    const key = Buffer.from(row.salt.replaceAll('-', ''), 'hex');
    try {
      return filesOf(row).map(([path, content]) => {
        const bytes = Buffer.from(wellFormedJson(content));
        const salt = createHmac('sha256', key).update(path).digest();
        const leaf = leafHash(hash('sha256', Buffer.concat([salt, bytes]), 'buffer'));
        return { leadId, of: { ref, number }, path, bytes, salt, leaf };
      });
    } catch {
      unmade({ ref, number });
      return [];
    }
  });
}

type RevisionRow = Row &
  Pick<LeadRevisionRow, 'revision' | 'received_at' | 'rules_version' | 'flow_version'> &
  Pick<LeadRevisionRow, 'fields' | 'body'> &
  Pick<ConsentRow, 'text_sha256' | 'version' | 'language' | 'page' | 'shown_at' | 'given_at'> &
  Pick<ConsentRow, 'certificate' | 'sent_text'> & {
    readonly problems: readonly LeadProblem[];
    readonly ip: string | null;
    readonly user_agent: string | null;
    readonly consent_ip: string | null;
    readonly consent_user_agent: string | null;
    /** The consent's text; null if the revision contains no consent. */
    readonly text: string | null;
    readonly buyers: ConsentRecord['buyers'];
  };

// Omits leads without values, because an erasure or the purge has deleted the values.
const REVISIONS = `
select k.ref, k.number, l.id as "leadId", r.revision, l.evidence_salt as salt, r.received_at, r.problems,
  r.rules_version, r.flow_version, ${storedColumns('r')}, l.ip, l.user_agent,
  coalesce(c.text, t.text) as text, c.text_sha256, c.version, c.language, c.page, c.shown_at, c.given_at,
  coalesce(c.ip, l.ip) as consent_ip, coalesce(c.user_agent, l.user_agent) as consent_user_agent,
  c.certificate, c.sent_text, c.buyers
from json_to_recordset($1::json) as k(ref uuid, number integer)
join leads l on l.id = k.ref
join lead_revisions r on r.lead_id = k.ref and r.revision = k.number
left join consents c on c.lead_id = k.ref and c.revision = k.number
left join consent_texts t on t.sha256 = c.text_sha256
where l.evidence_salt is not null and l.erased_at is null
order by r.received_at, l.id, r.revision`;

/** Returns the log's entries about revisions and their consents. */
export function revisionEntries(
  client: Queryable,
  keys: readonly EntryKey[],
  unmade?: Unmade,
): Promise<LoggedEntry[]> {
  const query = { name: 'evidence-revisions', text: REVISIONS };
  const filesOf = (stored: Stored<RevisionRow>) => {
    const row = wholeRevision(stored);
    const { text, revision } = row;
    const own = [`logged/revision-${revision}.json`, revisionOf(row)] as const;
    if (text === null) return [own];
    return [own, [`logged/consent-${revision}.json`, consentOf({ ...row, text })] as const];
  };
  return entriesOf(client, query, keys, filesOf, unmade);
}

function revisionOf(row: RevisionRow) {
  const { leadId, revision, fields, body } = row;
  const held = row.problems.filter(({ problem }) => problem === 'held');
  return {
    kind: 'revision',
    leadId,
    revision,
    rulesVersion: row.rules_version,
    fields,
    receivedAt: row.received_at,
    accepted: held.length === 0,
    reasons: held.map(({ reason = '' }) => reason),
    address: row.ip,
    userAgent: row.user_agent,
    page: typeof body.landing_page === 'string' ? body.landing_page : '',
    ...readAuthorization(Object.entries(body)),
  };
}

type AsLogged<Value> = {
  readonly [Name in keyof Value]: Value[Name] extends Date
    ? string
    : Value[Name] extends Date | null
      ? string | null
      : Value[Name];
};
/** A consent in the format of a logged file. */
export type LoggedConsent = AsLogged<ReturnType<typeof consentOf>>;
/** A delivery in the format of a logged file. */
export type LoggedDelivery = AsLogged<Omit<DeliveryRow, keyof EntryKey | 'salt'>>;

function consentOf(row: RevisionRow & { readonly text: string }) {
  const { leadId, revision, text, version, language, page } = row;
  const { how, visibility, visibilityMissing } = seenOf(row.body);
  return {
    kind: 'consent',
    leadId,
    revision,
    text,
    textSha256: row.text_sha256,
    version,
    language,
    page,
    pageVersion: row.flow_version,
    shownAt: row.shown_at,
    givenAt: row.given_at,
    how,
    visibility,
    visibilityMissing,
    buyers: row.buyers.length > 0 ? row.buyers : null,
    address: row.consent_ip,
    userAgent: row.consent_user_agent,
    certificate: row.certificate,
    sentText: row.sent_text,
  };
}

/** Returns how the visitor's page displayed the consent. */
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

type DeliveryRow = Row & {
  readonly revision: number;
  readonly destination: string;
  readonly attempt: number;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
  readonly requestSha256: string | null;
};

const DELIVERIES = `
select k.ref, k.number, d.lead_id as "leadId", l.evidence_salt as salt, coalesce(a.revision, d.revision, 0) as revision,
  d.destination, a.attempt, a.started_at as "startedAt", a.ended_at as "endedAt", a.outcome,
  a.sent_sha256 as "requestSha256"
from json_to_recordset($1::json) as k(ref uuid, number integer)
join deliveries d on d.id = k.ref
join delivery_attempts a on a.delivery_id = k.ref and a.attempt = k.number
join leads l on l.id = d.lead_id
where l.evidence_salt is not null and l.erased_at is null
order by a.ended_at, d.id, a.attempt`;

/** Returns the log's entries about ended attempts of deliveries. */
export function deliveryEntries(
  client: Queryable,
  keys: readonly EntryKey[],
  unmade?: Unmade,
): Promise<LoggedEntry[]> {
  const query = { name: 'evidence-deliveries', text: DELIVERIES };
  const filesOf = ({ ref: _ref, number: _number, salt: _salt, ...row }: DeliveryRow) =>
    [
      [`logged/delivery-${row.destination}-${row.attempt}.json`, { kind: 'delivery', ...row }],
    ] as const;
  return entriesOf(client, query, keys, filesOf, unmade);
}
