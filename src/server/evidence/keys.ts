/** Manages the Ed25519 keys that sign tree heads and packs. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { PublicKeys } from '../../model/evidence/formats.ts';
import { type JwsType, signJws, thumbprint } from '../../model/evidence/keys.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { notFound, OperatorError, refused } from '../platform/operator-error.ts';
import { readSecretFile, writeSecretFile } from '../platform/secret-file.ts';
import type { Settings } from '../settings/settings.ts';

const KEY_FILE = 'evidence-key';
/** A replaced key stays valid for this time, because another process may still sign with it. */
const OVERLAP = '1 day';
const ENDED = `valid_until <= clock_timestamp()`;

export type SigningKey = {
  readonly kid: string;
  /** True if this call stored the public key. */
  readonly isNew: boolean;
  /** Returns a payload as a signed compact JWS. */
  sign(typ: JwsType, payload: Uint8Array): Promise<string>;
};

export type KeySettings = Pick<Settings, 'dataDir' | 'evidenceKey'>;

/** Thrown if an operator must repair the log or the key before anything can be signed. */
export class NotReadyError extends OperatorError {
  constructor(message: string) {
    super('refused', message);
  }
}

/** Returns the signing key. @throws NotReadyError if the key is unusable */
export async function openSigningKey(
  client: Queryable,
  settings: KeySettings,
): Promise<SigningKey> {
  const file = path.join(settings.dataDir, KEY_FILE);
  if (!(await readPrivateKey(settings))) await writeSecretFile(file, newKey()).catch(unusable);
  const { key, kid, x, since } = (await readPrivateKey(settings)) as PrivateKey;
  const isNew = await publish(client, { kid, x, since });
  return { kid, isNew, sign: (typ, payload) => signJws(typ, payload, kid, key) };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

async function parseKey(text: string) {
  const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The evidence key is not Ed25519');
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { key, x, kid: await thumbprint(x) };
}

/** A private key with its public key. */
type PrivateKey = Awaited<ReturnType<typeof parseKey>> & { readonly since?: Date };

function unusable(cause: unknown): never {
  const { code = 'not an Ed25519 key' } = cause as NodeJS.ErrnoException;
  throw new NotReadyError(`The key that signs evidence cannot be used (${code})`);
}

/** Reads the private key; undefined if the key file does not exist. @throws NotReadyError */
async function readPrivateKey(settings: KeySettings): Promise<PrivateKey | undefined> {
  const file = path.join(settings.dataDir, KEY_FILE);
  try {
    if (settings.evidenceKey !== undefined) return await parseKey(settings.evidenceKey);
    const text = await readSecretFile(file);
    if (text === undefined) return undefined;
    return { ...(await parseKey(text)), since: (await stat(file)).mtime };
  } catch (error) {
    return unusable(error);
  }
}

/** Stores a public key, and returns whether the key is new. */
async function publish(
  client: Queryable,
  { kid, x, since }: Omit<PrivateKey, 'key'>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into evidence_keys (kid, x, valid_from)
     values ($1, $2, date_trunc('milliseconds', least(now(), $3::timestamptz))) on conflict (kid) do nothing`,
    [kid, x, since ?? null],
  );
  return rowCount === 1;
}

/** Throws NotReadyError if the key is no longer valid. The caller must have locked the log. */
export async function refuseIfEnded(client: Queryable, kid: string): Promise<void> {
  const ended = `select from evidence_keys where kid = $1 and ${ENDED}`;
  if ((await client.query(ended, [kid])).rowCount === 0) return;
  throw new NotReadyError(
    `The key that signs evidence has ended (${kid}): replace it. See docs/evidence.md, "Keys"`,
  );
}

/** Replaces the signing key in `DATA_DIR`. */
export async function rotateKey(
  pool: pg.Pool,
  settings: KeySettings,
  options: { readonly isNow?: boolean } = {},
): Promise<{ before: string; kid: string }> {
  if (settings.evidenceKey !== undefined) {
    throw refused(
      'The key is the setting EVIDENCE_KEY. Set a new one, restart every server, then end the old key: ' +
        '"npm run leads -- evidence-keys --end <key>".',
    );
  }
  const before = (await openSigningKey(pool, settings)).kid;
  const next = newKey();
  const { x, kid } = await parseKey(next);
  // Stores the public key before the private key is used, so that each signature can be verified.
  await publish(pool, { kid, x });
  await writeSecretFile(path.join(settings.dataDir, KEY_FILE), next, { replaces: true });
  await setEnd(pool, before, options);
  return { before, kid };
}

/** Ends the validity of a key. @throws OperatorError if no valid key has this id */
export async function endKey(
  pool: pg.Pool,
  kid: string,
  options: { readonly isNow?: boolean } = {},
): Promise<void> {
  if (!(await setEnd(pool, kid, options))) {
    throw notFound(`There is no key "${kid}", or its end is set already.`);
  }
}

/** Sets the end of a key while the log is locked, so that the key signs no tree head meanwhile. */
function setEnd(pool: pg.Pool, kid: string, { isNow = false }: { readonly isNow?: boolean }) {
  return inTransaction(pool, async (client) => {
    await client.query('select 1 from evidence_log where id = 1 for update');
    const { rowCount } = await client.query(
      `update evidence_keys set valid_until = date_trunc('milliseconds', clock_timestamp() +
         case when $2 then interval '0' else interval '${OVERLAP}' end)
       where kid = $1 and (valid_until is null or $2 and not ${ENDED})`,
      [kid, isNow],
    );
    return rowCount === 1;
  });
}

/** Returns all public keys, in the format that packs and the site use. */
export async function readKeys(client: Queryable): Promise<PublicKeys> {
  type Row = { kid: string; x: string; from: Date; until: Date | null };
  const { rows } = await client.query<Row>(
    `select kid, x, valid_from as from, valid_until as until from evidence_keys
     order by valid_from, kid`,
  );
  return {
    keys: rows.map(({ kid, x, from, until }) => ({
      ...({ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' } as const),
      validFrom: from.toISOString(),
      validUntil: until?.toISOString() ?? null,
    })),
  };
}
