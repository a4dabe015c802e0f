/** Makes and checks one-time secrets. */
import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../platform/database/database.ts';

/** Sign-in links, challenges of passkeys, and states of OpenID Connect. */
type SecretKind = 'link' | 'registration' | 'passkey' | 'oidc';
/** Details that are stored with a secret, such as the person who made a sign-in link. */
type SecretDetail = { readonly madeBy?: string };

const SECRET_BYTES = 32;

/** Returns a new 256-bit secret in base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns the hash that is stored in place of the secret. Random secrets need no slow hash. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Makes and stores a one-time secret. */
export async function makeSecret(
  db: Queryable,
  given: {
    readonly kind: SecretKind;
    readonly minutes: number;
    readonly operatorId?: string;
    readonly detail?: SecretDetail;
  },
): Promise<{ secret: string; expiresAt: Date }> {
  const { kind, minutes, operatorId = null, detail = {} } = given;
  const secret = newSecret();
  await db.query(`delete from sign_in_secrets where expires_at < now() - interval '1 hour'`);
  const { rows } = await db.query<{ expires_at: Date }>(
    `insert into sign_in_secrets (sha256, kind, operator_id, detail, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(mins => $5)) returning expires_at`,
    [hashOfSecret(secret), kind, operatorId, JSON.stringify(detail), minutes],
  );
  return { secret, expiresAt: rows[0]?.expires_at as Date };
}

/** Uses up a one-time secret. Returns undefined if the secret is not valid. */
export async function consumeSecret(
  db: Queryable,
  kind: SecretKind,
  secret: string,
): Promise<{ operatorId: string | null; detail: SecretDetail } | undefined> {
  const { rows } = await db.query(
    `update sign_in_secrets s set used_at = now()
     where sha256 = $1 and kind = $2 and used_at is null and expires_at > now()
       and not exists (select 1 from operators o where o.id = s.operator_id and o.disabled_at is not null)
     returning operator_id as "operatorId", detail`,
    [hashOfSecret(secret), kind],
  );
  return rows[0];
}
