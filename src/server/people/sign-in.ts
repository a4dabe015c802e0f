/** Signs people in. Each sign-in starts a new session, and is recorded in the audit log. */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { SignInWay } from '../../model/messages/console/people.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import { addAuditEntry } from './audit.ts';
import { personBy } from './people.ts';
import { consumeSecret, hashOfSecret, newSecret } from './secrets.ts';
import { endSession } from './sessions.ts';

export type SignInBrowser = {
  readonly userAgent: string;
  /** The secret of the browser's previous session, from the cookie. */
  readonly formerSecret: string | undefined;
};

/** Signs in by a one-time link, and returns the new session's secret. @throws OperatorError */
export function signInByLink(
  pool: pg.Pool,
  secret: string,
  browser: SignInBrowser,
): Promise<string> {
  return inTransaction(pool, async (client) => {
    const used = await consumeSecret(client, 'link', secret);
    if (!used?.operatorId) {
      throw refused('This link has been used or has expired. Ask an admin for a new one.');
    }
    const { operatorId, detail } = used;
    return openSession(client, { operatorId, way: 'link', linkBy: detail.madeBy }, browser);
  });
}

const SESSION_DAYS = 7;
const MAX_USER_AGENT_CHARACTERS = 300;

/** Starts a session, and ends the browser's previous session. */
export async function openSession(
  client: Queryable,
  { operatorId, way, linkBy }: { operatorId: string; way: SignInWay; linkBy?: string | undefined },
  { userAgent, formerSecret }: SignInBrowser,
): Promise<string> {
  if (formerSecret !== undefined) await endSession(client, formerSecret);
  await client.query(`delete from console_sessions where ends_at < now() - interval '30 days'`);
  const secret = newSecret();
  const agent = userAgent.slice(0, MAX_USER_AGENT_CHARACTERS);
  const { rowCount } = await client.query(
    `insert into console_sessions (id, sha256, operator_id, ends_at, user_agent, way, link_by)
     select $1, $2, id, now() + interval '${SESSION_DAYS} days', $4, $5, $6
     from operators where id = $3 and disabled_at is null`,
    [uuid(), hashOfSecret(secret), operatorId, agent, way, linkBy ?? null],
  );
  if (!rowCount) throw refused('This person may not sign in.');
  const { email } = await personBy(client, 'id', operatorId);
  await client.query('update operators set seen_at = now() where id = $1', [operatorId]);
  const detail = { by: way, linkBy };
  await addAuditEntry(client, { actor: email, action: 'session.started', subject: email, detail });
  return secret;
}
