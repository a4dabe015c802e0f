/** What of a lead is in the log. */

import type { LeadStory } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Settings } from '../settings/settings.ts';
import { deliveryEntries, type LoggedEntry, revisionEntries } from './entries.ts';
import { localIssuer } from './log.ts';
import { findLeaves } from './tree.ts';

/** Clocks differ, and an entry may wait to be appended. */
const BEFORE_MS = 3_600_000;
const AFTER_MS = 2 * 86_400_000;

export type IndexedEntry = LoggedEntry & { readonly index: number };

export type Proven = {
  readonly entries: readonly IndexedEntry[];
  /** Why there is no pack, in words; undefined: all that it needs of the lead is in the log. */
  readonly problem: string | undefined;
};

/** Finds the entries of a lead in the log. */
export async function readProven(client: Queryable, story: LeadStory): Promise<Proven> {
  const { lead, revisions, deliveries, consents } = story;
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
  // A clock was set, or the log was behind for long: the whole log is read.
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

/** Returns whether something of a lead waits to be appended. */
async function isWaiting(client: Queryable, leadId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from evidence_pending where ref = $1
       or is_delivery and ref in (select id from deliveries where lead_id = $1) limit 1`,
    [leadId],
  );
  return rowCount !== 0;
}

/** Returns in one or two sentences whether there can be a pack. */
export function evidenceText({ problem }: Proven, settings: Pick<Settings, 'publicUrl'>): string {
  if (problem !== undefined) return `There is no evidence pack, because ${problem}.`;
  return ['Evidence ready.', ...localIssuer(settings)].join(' ');
}
