/** Sessions of the console: rows that can be revoked. The browser has the secret, the database its hash. */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { OperatorSession, Role, SignInWay } from '../../../contract/console/people.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import { OperatorError, refused } from '../operator-error.ts';
import { addAuditEntry } from './audit.ts';
import { hashOfSecret, newSecret } from './secrets.ts';

/** A session ends at the latest after this time … */
const SESSION_DAYS = 7;
/** … and earlier when no request came for this time. */
const IDLE_HOURS = 8;

const LIVE = `s.revoked_at is null and s.ends_at > now()
  and s.seen_at > now() - interval '${IDLE_HOURS} hours' and o.disabled_at is null`;

const MAX_USER_AGENT_CHARACTERS = 300;

/** A session that is live, with its operator. */
export type LiveSession = {
  readonly id: string;
  readonly endsAt: Date;
  readonly operator: { readonly id: string; readonly email: string; readonly role: Role };
};

type SessionRow = {
  id: string;
  ends_at: Date;
  operator_id: string;
  email: string;
  role: Role;
  is_stale: boolean;
};

/**
 * Starts a session with a new secret. The browser's former session ends, so a planted one is worth nothing.
 * @returns the secret for the browser's cookie
 */
export async function startSession(
  db: Queryable,
  given: {
    readonly operatorId: string;
    readonly way: SignInWay;
    /** Who made the link. */
    readonly linkBy?: string | undefined;
    readonly userAgent: string;
    readonly formerSecret: string | undefined;
  },
): Promise<string> {
  const { operatorId, way, linkBy = null, userAgent, formerSecret } = given;
  if (formerSecret !== undefined) await endSession(db, formerSecret);
  await db.query(`delete from console_sessions where ends_at < now() - interval '30 days'`);
  const secret = newSecret();
  const { rowCount } = await db.query(
    `insert into console_sessions (id, sha256, operator_id, ends_at, user_agent, way, link_by)
     select $1, $2, id, now() + interval '${SESSION_DAYS} days', $4, $5, $6
     from operators where id = $3 and disabled_at is null`,
    [
      ...[uuid(), hashOfSecret(secret), operatorId],
      ...[userAgent.slice(0, MAX_USER_AGENT_CHARACTERS), way, linkBy],
    ],
  );
  if (!rowCount) throw refused('This person may not sign in.');
  return secret;
}

/** Returns the live session of a secret, and notes that it was seen. */
export async function findSession(db: Queryable, secret: string): Promise<LiveSession | undefined> {
  const { rows } = await db.query<SessionRow>(
    `select s.id, s.ends_at, o.id as operator_id, o.email, o.role,
       s.seen_at < now() - interval '1 minute' as is_stale
     from console_sessions s join operators o on o.id = s.operator_id
     where s.sha256 = $1 and ${LIVE}`,
    [hashOfSecret(secret)],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { id, ends_at: endsAt, operator_id, email, role } = row;
  if (row.is_stale) {
    await db.query('update console_sessions set seen_at = now() where id = $1', [id]);
    await db.query('update operators set seen_at = now() where id = $1', [operator_id]);
  }
  return { id, endsAt, operator: { id: operator_id, email, role } };
}

/** Returns whether a session is still live, without noting that it was seen. */
export async function isLive(db: Queryable, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from console_sessions s join operators o on o.id = s.operator_id
     where s.id = $1 and ${LIVE}`,
    [sessionId],
  );
  return rowCount === 1;
}

/** Ends the session of a secret, if there is one. */
export async function endSession(db: Queryable, secret: string): Promise<void> {
  await db.query(
    'update console_sessions set revoked_at = now() where sha256 = $1 and revoked_at is null',
    [hashOfSecret(secret)],
  );
}

/** Ends all sessions of an operator. Returns how many. */
export async function revokeSessions(db: Queryable, operatorId: string): Promise<number> {
  const { rowCount } = await db.query(
    'update console_sessions set revoked_at = now() where operator_id = $1 and revoked_at is null',
    [operatorId],
  );
  return rowCount ?? 0;
}

/** Lists live sessions, the last seen first: of one operator, or of all. */
export async function listSessions(
  db: Queryable,
  of: { readonly operatorId: string | null; readonly ownSessionId: string },
): Promise<OperatorSession[]> {
  const { rows } = await db.query<{
    id: string;
    email: string;
    started_at: Date;
    seen_at: Date;
    user_agent: string;
    way: SignInWay;
    link_by: string | null;
  }>(
    `select s.id, o.email, s.started_at, s.seen_at, s.user_agent, s.way, s.link_by
     from console_sessions s join operators o on o.id = s.operator_id
     where ($1::uuid is null or o.id = $1) and ${LIVE}
     order by s.seen_at desc limit 200`,
    [of.operatorId],
  );
  return rows.map(({ id, email, started_at, seen_at, user_agent, way, link_by }) => ({
    id,
    email,
    way,
    linkBy: link_by,
    userAgent: user_agent,
    isOwn: id === of.ownSessionId,
    startedAt: started_at.toISOString(),
    seenAt: seen_at.toISOString(),
  }));
}

/** Ends one session: an own one, or as an admin anybody's. @throws OperatorError */
export async function endOneSession(
  pool: pg.Pool,
  sessionId: string,
  by: { readonly id: string; readonly email: string; readonly role: Role },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      `update console_sessions s set revoked_at = coalesce(revoked_at, now()) from operators o
       where s.id = $1 and o.id = s.operator_id and ($2 or o.id = $3) returning o.email`,
      [sessionId, by.role === 'admin', by.id],
    );
    const [owner] = rows;
    if (owner === undefined) throw new OperatorError('not_found', 'There is no such session.');
    const entry = { actor: by.email, action: 'session.revoked', subject: owner.email };
    await addAuditEntry(client, entry);
  });
}
