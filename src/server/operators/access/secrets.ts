/** Makes and uses secrets that work once: sign-in links, challenges of passkeys, states of OpenID Connect. */
import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../../storage/database.ts';

export type SecretKind = 'link' | 'passkey' | 'registration' | 'oidc';

/** What a secret was made for. */
export type UsedSecret = {
  /** Null: the person was not known when the secret was made. */
  readonly operatorId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
};

const SECRET_BYTES = 32;

/** Returns a new secret of 256 bits, base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns the form in which secrets are stored. A random secret of 256 bits needs no slow hash. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Stores a secret and forgets those that expired an hour ago.
 *
 * @param given.secret default: a new one
 * @returns the secret and when it expires
 */
export async function makeSecret(
  db: Queryable,
  given: {
    readonly kind: SecretKind;
    readonly minutes: number;
    readonly secret?: string;
    readonly operatorId?: string;
    readonly detail?: Readonly<Record<string, unknown>>;
  },
): Promise<{ secret: string; expiresAt: Date }> {
  const { kind, minutes, secret = newSecret(), operatorId = null, detail = {} } = given;
  await db.query(`delete from sign_in_secrets where expires_at < now() - interval '1 hour'`);
  const { rows } = await db.query<{ expires_at: Date }>(
    `insert into sign_in_secrets (sha256, kind, operator_id, detail, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(mins => $5)) returning expires_at`,
    [hashOfSecret(secret), kind, operatorId, JSON.stringify(detail), minutes],
  );
  return { secret, expiresAt: rows[0]?.expires_at as Date };
}

/**
 * Uses up a secret. Of two requests at once only one gets it.
 * @returns undefined if it is unknown, used, expired, or of a person who may not sign in
 */
export async function consumeSecret(
  db: Queryable,
  kind: SecretKind,
  secret: string,
): Promise<UsedSecret | undefined> {
  const { rows } = await db.query<UsedSecret>(
    `update sign_in_secrets s set used_at = now()
     where sha256 = $1 and kind = $2 and used_at is null and expires_at > now()
       and not exists (select 1 from operators o where o.id = s.operator_id and o.disabled_at is not null)
     returning operator_id as "operatorId", detail`,
    [hashOfSecret(secret), kind],
  );
  return rows[0];
}
