/** Reads the system's state for operators: destinations' health, versions in use, the database. */
import { statfs } from 'node:fs/promises';
import type {
  ConsentTextUse,
  RulesVersionUse,
  SystemAnswer,
} from '../../model/messages/console/work.ts';
import type { DestinationHealth } from '../delivery/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isoTime } from '../platform/time-format.ts';

/** Uses of versions are counted among this many newest leads. */
export const LEADS_LOOKED_AT = 2_000;

/** Reads the newest leads by an index. `offset 0` makes the planner look up the joined table by key, not hash it. */
const NEWEST = `newest as (
  select id, survey, flow, revision from leads order by created_at desc limit ${LEADS_LOOKED_AT})`;

/** The health of a destination, shared by all processes. */
export type DestinationState = Pick<DestinationHealth, 'destination' | 'pausedBy' | 'lastFailure'>;

/** Returns the health of destinations that have ever paused or failed. */
export async function readDestinationStates(db: Queryable): Promise<DestinationState[]> {
  const { rows } = await db.query<DestinationState>(
    'select destination, paused_by as "pausedBy", last_failure as "lastFailure" from destination_health',
  );
  return rows;
}

/** Returns the versions of the rules, newest first, with how many of the newest leads used each. */
export async function readRulesVersions(
  db: Queryable,
  current: string,
): Promise<RulesVersionUse[]> {
  const { rows } = await db.query<RulesVersionUse>(
    `with ${NEWEST}, used as (
       select r.rules_version, count(*)::int as leads
       from newest n cross join lateral (select rules_version from lead_revisions
         where lead_id = n.id and lead_revisions.revision = n.revision offset 0) as r
       group by r.rules_version)
     select v.version, v.version = $1 as "isCurrent", ${isoTime('v.first_used_at')} as "firstUsedAt",
       coalesce(u.leads, 0) as leads
     from rule_versions v left join used u on u.rules_version = v.version
     order by v.first_used_at desc limit 50`,
    [current],
  );
  return rows;
}

/**
 * Returns the consent texts that the newest leads agreed to, with the surveys that showed them. Leaves out invented
 * versions, languages and surveys, which any browser may post.
 */
export async function readConsentTexts(db: Queryable): Promise<ConsentTextUse[]> {
  const { rows } = await db.query<ConsentTextUse>(
    `with ${NEWEST}
     select c.version, c.language, array_agg(distinct n.survey) as surveys,
       count(distinct n.id)::int as leads, ${isoTime('max(c.created_at)')} as "lastGivenAt"
     from newest n cross join lateral (select version, language, created_at from consents
       where lead_id = n.id offset 0) as c
     where n.flow <> '' and c.language ~ '^[a-z]{2}$'
       and c.version ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}( [a-z]{1,20})?$'
     group by c.version, c.language order by max(c.created_at) desc limit 50`,
  );
  return rows;
}

/**
 * Returns the kind, version and size of the database.
 * @param dataDir the directory of the embedded database; undefined with DATABASE_URL
 */
export async function readDatabase(
  db: Queryable,
  dataDir: string | undefined,
): Promise<SystemAnswer['database']> {
  const { rows } = await db.query<{ version: string; bytes: string }>(
    `select current_setting('server_version') as version,
       pg_database_size(current_database()) as bytes`,
  );
  const disk = dataDir === undefined ? undefined : await statfs(dataDir).catch(() => undefined);
  return {
    kind: dataDir === undefined ? 'DATABASE_URL' : 'embedded',
    version: rows[0]?.version ?? '',
    bytes: Number(rows[0]?.bytes ?? 0),
    freeBytes: disk ? disk.bavail * disk.bsize : null,
  };
}
