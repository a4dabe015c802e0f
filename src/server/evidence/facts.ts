/** Selects the contents of a pack: a lead's revision, consent, deliveries and log entries. */
import type pg from 'pg';
import { hashOf, rulesVersionOf } from '../../model/evidence/encoding.ts';
import type { Override } from '../../model/rules/derive-fields.ts';
import { destinations } from '../delivery/destinations/index.ts';
import { type LeadHistory, listOf, overrideText } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import type { Settings } from '../settings/settings.ts';
import {
  deliveryEntries,
  type LoggedConsent,
  type LoggedDelivery,
  type LoggedEntry,
  revisionEntries,
} from './entries.ts';
import { localIssuer, originOf } from './log.ts';
import { findLeaves } from './tree.ts';

/** The search begins this long before the lead arrived, because server clocks differ. */
const BEFORE_MS = 3_600_000;
const AFTER_MS = 2 * 86_400_000;

export type IndexedEntry = LoggedEntry & { readonly index: number };

type Proven = {
  readonly entries: readonly IndexedEntry[];
  /** The reason why no pack can be made. Undefined: a pack can be made. */
  readonly problem: string | undefined;
};

export async function readProven(client: Queryable, history: LeadHistory): Promise<Proven> {
  const { lead, revisions, deliveries, consents } = history;
  const none = (problem: string): Proven => ({ entries: [], problem });
  if (lead.erased_at) return none('its data was erased, or its retention period has ended');
  if (lead.evidence_salt === null) return none('it came before there was a log');
  const attempts = deliveries
    .filter(({ event }) => event === null)
    .flatMap(({ log }) => log.filter(({ ended_at }) => ended_at !== null));
  const ownKeys = revisions.map(({ revision }) => ({ ref: lead.id, number: revision }));
  const sentKeys = attempts.map((each) => ({ ref: each.delivery_id, number: each.attempt }));
  const made = [
    ...(await revisionEntries(client, ownKeys)),
    ...(await deliveryEntries(client, sentKeys)),
  ];
  const leaves = made.map(({ leaf }) => leaf);
  const received = revisions.map(({ received_at }) => Number(received_at));
  const last = Math.max(...received, ...attempts.map(({ ended_at }) => Number(ended_at)));
  const since = new Date(lead.created_at.getTime() - BEFORE_MS);
  let found = await findLeaves(client, leaves, since, new Date(last + AFTER_MS));
  const waits = found.size < made.length && (await isWaiting(client, lead.id));
  // Searches the whole log, because a wrong server clock gives an entry an unexpected time.
  if (found.size < made.length && !waits) found = await findLeaves(client, leaves, new Date(0));
  const entries = made.flatMap((entry) => {
    const index = found.get(entry.leaf.toString('hex'));
    return index === undefined ? [] : [{ ...entry, index }];
  });
  if (consents.length === 0) return { entries, problem: 'it has no consent text' };
  const missing = [
    ...revisions.map(({ revision }) => `logged/revision-${revision}.json`),
    ...consents.map(({ revision }) => `logged/consent-${revision}.json`),
  ].find((path) => !entries.some((entry) => entry.path === path));
  if (missing === undefined) return { entries, problem: undefined };
  const why = waits ? 'it waits for its turn' : 'the row was changed, or lost from the log';
  return { entries, problem: `${missing} is not in the log: ${why}` };
}

async function isWaiting(client: Queryable, leadId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from evidence_pending where ref = $1
       or is_delivery and ref in (select id from deliveries where lead_id = $1) limit 1`,
    [leadId],
  );
  return rowCount !== 0;
}

/** Describes for operators whether a pack can be made. */
export function evidenceText({ problem }: Proven, settings: Pick<Settings, 'publicUrl'>): string {
  if (problem !== undefined) return `There is no evidence pack, because ${problem}.`;
  return ['Evidence ready.', ...localIssuer(settings)].join(' ');
}

const DAY_MS = 86_400_000;

export type PackSettings = Pick<
  Settings,
  'evidenceRecipients' | 'publicUrl' | 'port' | 'destinations' | 'keep' | 'site'
>;
export type PackFacts = Awaited<ReturnType<typeof factsOf>>;

/** The outcomes after which the destination has the lead. */
const ARRIVED: ReadonlySet<string | null> = new Set(['delivered', 'duplicate']);

const withoutContact = new Set(
  destinations.filter(({ getsNoContact }) => getsNoContact).map(({ name }) => name),
);

/** Returns the destinations that have the lead's contact details and may receive a pack. */
export function recipientsOf({ deliveries }: LeadHistory): string[] {
  return deliveries
    .filter(({ destination }) => !withoutContact.has(destination))
    .filter(({ event, log }) => event === null && log.some(({ outcome }) => ARRIVED.has(outcome)))
    .map(({ destination }) => destination);
}

/** Selects the facts for a pack. @throws OperatorError */
export async function factsOf(
  pool: pg.Pool,
  history: LeadHistory,
  entries: readonly IndexedEntry[],
  { settings, recipient }: { settings: PackSettings; recipient: string | undefined },
) {
  const { lead, deliveries, revisions } = history;
  const delivery = deliveries.find(
    ({ destination, event }) => destination === recipient && event === null,
  );
  const arrived = delivery?.log.findLast(({ outcome }) => ARRIVED.has(outcome));
  if (recipient !== undefined && withoutContact.has(recipient)) {
    throw refused(`"${recipient}" got no contact details, and a pack has them.`);
  }
  if (recipient !== undefined && !arrived) {
    const takers = recipientsOf(history).join(', ') || 'none';
    throw refused(`"${recipient}" did not take lead ${lead.id}. Destinations with it: ${takers}.`);
  }
  const revision = arrived?.revision ?? lead.revision;
  const contents = new Map(
    entries.map((entry) => [entry.path, JSON.parse(entry.bytes.toString())]),
  );
  const consent: LoggedConsent | undefined = [...contents.values()]
    .filter((each) => each.kind === 'consent' && each.revision <= revision)
    .at(-1);
  const row = revisions.find((each) => each.revision === revision);
  if (!consent || !row) throw refused(`Revision ${revision} has no consent in the log.`);
  const logged = [...contents].filter(
    ([, each]) =>
      each.revision <= revision &&
      (each.kind !== 'delivery' || recipient === undefined || each.destination === recipient),
  );
  const sent: LoggedDelivery[] = logged.flatMap(([, each]) =>
    each.kind === 'delivery' ? [each] : [],
  );
  if (recipient !== undefined && !sent.some(({ outcome }) => ARRIVED.has(outcome))) {
    throw refused(`The delivery to "${recipient}" is not in the log.`);
  }
  return {
    lead,
    revision,
    row,
    consent,
    recipient,
    suppressions: history.suppressions,
    logged: logged.map(([file]) => file),
    deliveries: sent,
    /** Descriptions of the answers that rules changed. */
    changes: listOf<Override>(row.overrides).map(overrideText),
    issuer: originOf(settings),
    company: settings.site.companyName,
    /** Maps each destination to the name of its firm. */
    recipientNames: settings.evidenceRecipients,
    partners: await readPartners(pool, history, consent),
    /** The reason why the pack has no steps and clicks. Undefined: the pack has them. */
    removed: removedOf(history, settings.keep.clicks),
  };
}

function removedOf({ lead, progress, clicks }: LeadHistory, keptDays: number): string | undefined {
  const until = new Date(lead.created_at.getTime() + keptDays * DAY_MS);
  if (progress.length + clicks.length > 0 || until > new Date()) return undefined;
  return `Steps and clicks are kept for ${keptDays} days after the visit, those of this lead until ${until.toISOString().slice(0, 10)} or a little later. By now they are removed.`;
}

/** Returns the firms that /sponsors/ listed when the consent was received (docs/evidence.md). */
async function readPartners(
  pool: Queryable,
  { revisions }: LeadHistory,
  { revision }: LoggedConsent,
) {
  const version = revisions.find((each) => each.revision === revision)?.rules_version;
  type Row = { files: unknown; settings: unknown; firms: readonly unknown[]; since: Date };
  const used = `select files, settings, firms, first_used_at as since
    from rule_versions where version = $1`;
  const [row] = (await pool.query<Row>(used, [version])).rows;
  if (!row) return { firms: null, why: 'The list of that day was not kept.' };
  const { firms, since } = row;
  const parts = { files: await hashOf(row.files), settings: await hashOf(row.settings), firms };
  if ((await rulesVersionOf(parts)) !== version) {
    return { firms: null, why: 'The kept list is not the one of that day.' };
  }
  return { ...parts, revision, since: since.toISOString() };
}
