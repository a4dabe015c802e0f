/** Signs people in. Every way ends in a new session and an entry of the audit log. */
import type pg from 'pg';
import type { SignInWay } from '../../../contract/console/people.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import { OperatorError } from '../operator-error.ts';
import { addAuditEntry } from './audit.ts';
import { personBy } from './people.ts';
import { consumeSecret } from './secrets.ts';
import { startSession } from './sessions.ts';

/** The browser that signs in. */
export type SignInBrowser = {
  readonly userAgent: string;
  /** The secret of the session that the browser has now. */
  readonly formerSecret: string | undefined;
};

/**
 * Signs in by a link's secret. Of two requests with one link only one gets a session.
 * @returns the secret of the new session
 * @throws OperatorError with the same sentence whether the link is unknown, used, expired or revoked
 */
export function signInByLink(
  pool: pg.Pool,
  secret: string,
  browser: SignInBrowser,
): Promise<string> {
  return inTransaction(pool, async (client) => {
    const used = await consumeSecret(client, 'link', secret);
    if (!used?.operatorId) {
      throw new OperatorError(
        'refused',
        'This link has been used or has expired. Ask an admin for a new one.',
      );
    }
    const { operatorId, detail } = used;
    const linkBy = typeof detail.madeBy === 'string' ? detail.madeBy : undefined;
    return openSession(client, { operatorId, way: 'link', linkBy }, browser);
  });
}

/** Starts the session of a person who has proven who they are. @returns its secret */
export async function openSession(
  client: Queryable,
  opened: {
    readonly operatorId: string;
    readonly way: SignInWay;
    readonly linkBy?: string | undefined;
  },
  browser: SignInBrowser,
): Promise<string> {
  const { operatorId, way, linkBy } = opened;
  const secret = await startSession(client, { ...opened, ...browser });
  const { email } = await personBy(client, 'id', operatorId);
  await client.query('update operators set seen_at = now() where id = $1', [operatorId]);
  await addAuditEntry(client, {
    actor: email,
    action: 'session.started',
    subject: email,
    detail: { by: way, linkBy },
  });
  return secret;
}
