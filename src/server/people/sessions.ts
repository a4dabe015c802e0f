/** Manages the console's sessions. The database stores only a hash of each session's secret. */
import type pg from 'pg';
import type { OperatorPerson, OperatorSession } from '../../model/messages/console/people.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { notFound } from '../platform/operator-error.ts';
import { isoTime } from '../platform/time-format.ts';
import { addAuditEntry } from './audit.ts';
import { hashOfSecret } from './secrets.ts';

/** A session ends after this time without requests. */
const IDLE_HOURS = 8;

const LIVE = `s.revoked_at is null and s.ends_at > now()
  and s.seen_at > now() - interval '${IDLE_HOURS} hours' and o.disabled_at is null`;

type LiveSession = {
  readonly id: string;
  readonly endsAt: Date;
  readonly operator: Pick<OperatorPerson, 'id' | 'email' | 'role'>;
};

/** Returns the live session with this secret. */
export async function findSession(
  db: Queryable,
  secret: string,
  isAttended: boolean,
): Promise<LiveSession | undefined> {
  const { rows } = await db.query<LiveSession & { readonly isStale: boolean }>(
    `select s.id, s.ends_at as "endsAt", s.seen_at < now() - interval '1 minute' as "isStale",
       json_build_object('id', o.id, 'email', o.email, 'role', o.role) as operator
     from console_sessions s join operators o on o.id = s.operator_id
     where s.sha256 = $1 and ${LIVE}`,
    [hashOfSecret(secret)],
  );
  const [session] = rows;
  if (session?.isStale && isAttended) {
    await db.query('update console_sessions set seen_at = now() where id = $1', [session.id]);
    await db.query('update operators set seen_at = now() where id = $1', [session.operator.id]);
  }
  return session;
}

/** Returns whether a session is live. Does not count as use of the session. */
export async function isLive(db: Queryable, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from console_sessions s join operators o on o.id = s.operator_id
     where s.id = $1 and ${LIVE}`,
    [sessionId],
  );
  return rowCount === 1;
}

export async function endSession(db: Queryable, secret: string): Promise<void> {
  await db.query(
    'update console_sessions set revoked_at = now() where sha256 = $1 and revoked_at is null',
    [hashOfSecret(secret)],
  );
}

/** Ends all sessions of a person, and returns their number. */
export async function revokeSessions(db: Queryable, operatorId: string): Promise<number> {
  const { rowCount } = await db.query(
    'update console_sessions set revoked_at = now() where operator_id = $1 and revoked_at is null',
    [operatorId],
  );
  return rowCount ?? 0;
}

/** Lists live sessions, the most recently used first. */
export async function listSessions(
  db: Queryable,
  of: { readonly operatorId: string | null; readonly ownSessionId: string },
): Promise<OperatorSession[]> {
  const { rows } = await db.query<OperatorSession>(
    `select s.id, o.email, s.way, s.link_by as "linkBy", s.user_agent as "userAgent", s.id = $2 as "isOwn",
       ${isoTime('s.started_at')} as "startedAt", ${isoTime('s.seen_at')} as "seenAt"
     from console_sessions s join operators o on o.id = s.operator_id
     where ($1::uuid is null or o.id = $1) and ${LIVE}
     order by s.seen_at desc limit 200`,
    [of.operatorId, of.ownSessionId],
  );
  return rows;
}

/** Ends one session. Only admins may end the sessions of other people. @throws OperatorError */
export async function endOneSession(
  pool: pg.Pool,
  sessionId: string,
  by: LiveSession['operator'],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      `update console_sessions s set revoked_at = coalesce(revoked_at, now()) from operators o
       where s.id = $1 and o.id = s.operator_id and ($2 or o.id = $3) returning o.email`,
      [sessionId, by.role === 'admin', by.id],
    );
    const [owner] = rows;
    if (owner === undefined) throw notFound('There is no such session.');
    const entry = { actor: by.email, action: 'session.revoked', subject: owner.email };
    await addAuditEntry(client, entry);
  });
}
