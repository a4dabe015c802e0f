/** Makes and checks one-time secrets. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';

/** The kinds of secrets whose hashes are stored in the database. */
type StoredKind = 'link' | 'registration';
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
    readonly kind: StoredKind;
    readonly minutes: number;
    readonly operatorId: string;
    readonly detail?: SecretDetail;
  },
): Promise<{ secret: string; expiresAt: Date }> {
  const { kind, minutes, operatorId, detail = {} } = given;
  const secret = newSecret();
  await deleteExpired(db);
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
  kind: StoredKind,
  secret: string,
): Promise<{ operatorId: string; detail: SecretDetail } | undefined> {
  const { rows } = await db.query(
    `update sign_in_secrets s set used_at = now()
     where sha256 = $1 and kind = $2 and used_at is null and expires_at > now()
       and not exists (select 1 from operators o where o.id = s.operator_id and o.disabled_at is not null)
     returning operator_id as "operatorId", detail`,
    [hashOfSecret(secret), kind],
  );
  return rows[0];
}

async function deleteExpired(db: Queryable): Promise<void> {
  await db.query(`delete from sign_in_secrets where expires_at < now() - interval '1 hour'`);
}

/** The kinds of secrets that the server signs, and does not store. */
type SignedKind = 'passkey' | 'oidc';

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MINUTE_MS = 60_000;

/** Returns a new signed secret that contains its expiry time. */
export async function signSecret(
  db: Queryable,
  kind: SignedKind,
  minutes: number,
): Promise<string> {
  const expiresAt = Buffer.alloc(TIME_BYTES);
  expiresAt.writeUIntBE(Date.now() + minutes * MINUTE_MS, 0, TIME_BYTES);
  const signed = Buffer.concat([randomBytes(NONCE_BYTES), expiresAt]);
  return Buffer.concat([signed, await signatureOf(db, kind, signed)]).toString('base64url');
}

/** Returns true if this server signed the secret and the secret has not expired. */
export async function isSigned(db: Queryable, kind: SignedKind, secret: string): Promise<boolean> {
  const bytes = Buffer.from(secret, 'base64url');
  const signed = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  const signature = await signatureOf(db, kind, signed);
  if (bytes.length !== signed.length + signature.length) return false;
  if (!timingSafeEqual(bytes.subarray(signed.length), signature)) return false;
  return signed.readUIntBE(NONCE_BYTES, TIME_BYTES) > Date.now();
}

/**
 * Uses up a signed secret, in the sign-in's transaction.
 * @throws OperatorError if the secret was used before
 */
export async function useSigned(db: Queryable, kind: SignedKind, secret: string): Promise<void> {
  await deleteExpired(db);
  const { rowCount } = await db.query(
    `insert into sign_in_secrets (sha256, kind, expires_at, used_at)
     values ($1, $2, now() + interval '1 hour', now()) on conflict (sha256) do nothing`,
    [hashOfSecret(Buffer.from(secret, 'base64url').toString('base64url')), kind],
  );
  if (!rowCount) throw refused('This sign-in was used already. Try again.');
}

async function signatureOf(db: Queryable, kind: SignedKind, signed: Buffer): Promise<Buffer> {
  const { rows } = await db.query<{ key: string }>('select key from challenge_keys where id = 1');
  if (rows[0] === undefined) throw new Error('The database has no key for challenges');
  return createHmac('sha256', rows[0].key).update(`${kind} `).update(signed).digest();
}
