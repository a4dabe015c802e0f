/** Hashes texts with a secret that all servers of a database share, so that nobody else can guess the input. */
import { createHmac, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { storeErrors } from './database-error.ts';

const MAKE_SECRET = `
insert into phone_code_secret (id, secret) values (1, $1) on conflict (id) do nothing`;

/** Returns the hexadecimal HMAC of a text. The purpose separates the HMACs of different uses. */
type Digest = (purpose: string, text: string) => string;

/** Returns a function that reads the secret once and creates it if it is missing. A failed read is retried. */
export function openDigest(pool: pg.Pool): () => Promise<Digest> {
  let digest: Promise<Digest> | undefined;
  return () => {
    digest ??= readSecret(pool).then(
      (secret) => (purpose, text) =>
        createHmac('sha256', secret).update(`${purpose}:${text}`).digest('hex'),
    );
    digest.catch(() => {
      digest = undefined;
    });
    return digest;
  };
}

async function readSecret(pool: pg.Pool): Promise<string> {
  await pool.query(MAKE_SECRET, [randomBytes(32).toString('base64url')]);
  const { rows } = await pool.query<{ secret: string }>('select secret from phone_code_secret');
  return (rows[0] as { secret: string }).secret;
}

export type KeyedDigest = ReturnType<typeof createKeyedDigest>;

/** Returns the digest function that all processes of this database share. */
export function createKeyedDigest(pool: pg.Pool) {
  const digest = openDigest(pool);
  return (purpose: string, text: string): Promise<string> =>
    storeErrors(async () => (await digest())(purpose, text));
}
