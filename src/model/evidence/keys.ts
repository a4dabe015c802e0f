/** Keys and signatures of evidence packs: JWS with Ed25519 (RFC 7515, RFC 8037). */
import { CompactSign } from 'jose';
import {
  type Bytes,
  canonicalJson,
  fromBase64url,
  fromUtf8,
  Refusal,
  sha256,
  toBase64url,
  utf8,
} from './encoding.ts';
import * as forms from './formats.ts';

/** The header `typ` of a JWS. */
export type JwsType = 'evidence-manifest' | 'evidence-head';

export type Jws = { readonly kid: string; readonly payload: Bytes };

/** Returns the thumbprint of a public key in base64url (RFC 7638). */
export async function thumbprint(x: string): Promise<string> {
  return toBase64url(await sha256(utf8(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))));
}

const headerOf = (typ: JwsType, kid: string) => ({ alg: 'EdDSA', kid, typ });

/** Signs a payload as a compact JWS. */
export function signJws(
  typ: JwsType,
  payload: Uint8Array,
  kid: string,
  privateKey: Parameters<CompactSign['sign']>[0],
): Promise<string> {
  return new CompactSign(payload).setProtectedHeader(headerOf(typ, kid)).sign(privateKey);
}

/** Verifies a JWS and returns its payload. @throws Refusal if the signature is invalid */
export async function verifyJws(
  bytes: Bytes | undefined,
  typ: JwsType,
  keys: forms.KeysById,
): Promise<Jws> {
  if (bytes === undefined) throw new Refusal('missing');
  const [header = '', payload = '', signature = '', ...more] = fromUtf8(bytes).split('.');
  const { kid = '' } = JSON.parse(fromUtf8(fromBase64url(header))) as { kid?: string };
  // Accepts only the exact header that `signJws` writes.
  if (more.length > 0 || header !== toBase64url(utf8(canonicalJson(headerOf(typ, kid))))) {
    throw new Refusal('another algorithm, type or header');
  }
  const key = keys.get(kid);
  if (!key) throw new Refusal(`no key ${kid}`);
  // Verifies with Web Crypto, because `jose` would double the size of the page that verifies packs.
  const algorithm = { name: 'Ed25519' };
  const publicKey = await crypto.subtle.importKey('raw', fromBase64url(key.x), algorithm, false, [
    'verify',
  ]);
  const signed = utf8(`${header}.${payload}`);
  if (!(await crypto.subtle.verify(algorithm, publicKey, fromBase64url(signature), signed))) {
    throw new Refusal('the signature does not fit');
  }
  return { kid, payload: fromBase64url(payload) };
}

export function keysById({ keys }: forms.PublicKeys): forms.KeysById {
  return new Map(keys.map((key) => [key.kid, key]));
}

/** Parses the issuer's published keys. @throws if the text is not a list of keys */
export function readTrustedKeys(text: string): forms.PublicKeys {
  return forms.read(forms.keysForm, JSON.parse(text));
}

/** Parses the file `keys.json` of a pack. @throws Refusal if an id is not the key's thumbprint */
export async function readKeys(bytes: Bytes | undefined): Promise<forms.KeysById> {
  const listed = forms.readFile(forms.keysForm, bytes);
  const keys = keysById(listed);
  if (keys.size !== listed.keys.length) throw new Refusal('keys.json names a key twice');
  for (const { kid, x } of listed.keys) {
    if ((await thumbprint(x)) !== kid) throw new Refusal(`keys.json: ${kid} is another key's id`);
  }
  return keys;
}

export function isValidAt({ validFrom, validUntil }: forms.PublicKey, at: string): boolean {
  const time = Date.parse(at);
  const isBegun = Date.parse(validFrom) <= time;
  return isBegun && (validUntil === null || time <= Date.parse(validUntil));
}
