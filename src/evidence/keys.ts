/** The issuer's public keys, and what they signed. */
import { type Bytes, Refusal } from './bytes.ts';
import {
  type KeysById,
  keysForm,
  type PublicKey,
  type PublicKeys,
  read,
  readFile,
} from './formats.ts';
import { isSignedBy, type Jws, type JwsType, parseJws, thumbprint } from './jws.ts';

export function keysById({ keys }: PublicKeys): KeysById {
  return new Map(keys.map((key) => [key.kid, key]));
}

/** Reads published keys, in any spelling of JSON. @throws if they are none */
export function readTrustedKeys(text: string): PublicKeys {
  return read(keysForm, JSON.parse(text));
}

/** Reads `keys.json`. @throws Refusal unless every id is its key's own */
export async function readKeys(bytes: Bytes | undefined): Promise<KeysById> {
  const listed = readFile(keysForm, bytes);
  const keys = keysById(listed);
  if (keys.size !== listed.keys.length) throw new Refusal('keys.json names a key twice');
  for (const { kid, x } of listed.keys) {
    if ((await thumbprint(x)) !== kid) throw new Refusal(`keys.json: ${kid} is another key's id`);
  }
  return keys;
}

/** Returns whether a key may sign at a time. */
export function isValidAt({ validFrom, validUntil }: PublicKey, at: string): boolean {
  const time = Date.parse(at);
  const isBegun = Date.parse(validFrom) <= time;
  return isBegun && (validUntil === null || time <= Date.parse(validUntil));
}

/** @throws Refusal unless one of the keys signed it */
export async function verifyJws(
  bytes: Bytes | undefined,
  typ: JwsType,
  keys: KeysById,
): Promise<Jws> {
  if (bytes === undefined) throw new Refusal('missing');
  const jws = parseJws(bytes, typ);
  const key = keys.get(jws.kid);
  if (!key) throw new Refusal(`no key ${jws.kid}`);
  if (!(await isSignedBy(jws, key.x))) throw new Refusal('the signature does not fit');
  return jws;
}
