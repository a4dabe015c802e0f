/**
 * Compact JWS with Ed25519 (RFC 7515, RFC 8037), in the one spelling that a pack may have. WebCrypto signs and
 * verifies: current browsers have Ed25519, also on a page that was opened as a file.
 */
import {
  type Bytes,
  fromBase64url,
  fromUtf8,
  Refusal,
  sha256,
  toBase64url,
  utf8,
} from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';

/** What is signed. The type keeps a signature of one kind from counting as another. */
export type JwsType = 'evidence-manifest' | 'evidence-head';

/** The order of the curve's group. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Returns a key's id: its thumbprint (RFC 7638). @param x the public key, base64url */
export async function thumbprint(x: string): Promise<string> {
  return toBase64url(await sha256(utf8(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))));
}

/** Returns the header of a JWS, as text. @param timestamp SHA-256 of the payload's time stamp, in hex, if it has one */
export function jwsHeader(typ: JwsType, kid: string, timestamp?: string): string {
  return canonicalJson({ alg: 'EdDSA', kid, typ, ...(timestamp !== undefined && { timestamp }) });
}

/** Signs a payload. @param timestamp SHA-256 of its time stamp, in hex, if it has one */
export async function signJws(
  typ: JwsType,
  payload: Bytes,
  kid: string,
  privateKey: CryptoKey,
  timestamp?: string,
): Promise<string> {
  const signed = `${toBase64url(utf8(jwsHeader(typ, kid, timestamp)))}.${toBase64url(payload)}`;
  const signature = await crypto.subtle.sign({ name: 'Ed25519' }, privateKey, utf8(signed));
  return `${signed}.${toBase64url(new Uint8Array(signature))}`;
}

/** A JWS that is well formed. Nothing is verified yet. */
export type Jws = {
  readonly kid: string;
  /** SHA-256 of the payload's time stamp, in hex; undefined: it has none. */
  readonly timestamp: string | undefined;
  readonly payload: Bytes;
  readonly signed: Bytes;
  readonly signature: Bytes;
};

/** @throws Refusal if the form, the algorithm or the type is another */
export function parseJws(bytes: Bytes, typ: JwsType): Jws {
  const [header = '', payload = '', signature = '', ...more] = fromUtf8(bytes).split('.');
  if (signature === '' || more.length > 0) throw new Refusal('not a compact JWS');
  const text = fromUtf8(fromBase64url(header));
  let told: { kid?: unknown; timestamp?: unknown };
  try {
    told = Object(JSON.parse(text));
  } catch {
    throw new Refusal('the header is not JSON');
  }
  const { kid, timestamp } = told;
  if (typeof kid !== 'string') throw new Refusal('the header names no key');
  if (timestamp !== undefined && (typeof timestamp !== 'string' || typ !== 'evidence-manifest')) {
    throw new Refusal('the header names no time stamp');
  }
  // Any other algorithm, type or member gives another header.
  if (text !== jwsHeader(typ, kid, timestamp))
    throw new Refusal('another algorithm, type or header');
  const parsed = {
    kid,
    timestamp,
    payload: fromBase64url(payload),
    signed: utf8(`${header}.${payload}`),
    signature: fromBase64url(signature),
  };
  if (parsed.signature.length !== 64) throw new Refusal('the signature is not 64 bytes long');
  return parsed;
}

/** @param x the public key, base64url */
export async function isSignedBy(
  { signed, signature }: Pick<Jws, 'signed' | 'signature'>,
  x: string,
): Promise<boolean> {
  // Without this rule (RFC 8032, section 5.1.7) a signature has a second spelling; not every library checks it.
  const scalar = signature.slice(32).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  if (scalar >= ORDER) return false;
  const algorithm = { name: 'Ed25519' };
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, key, signature, signed);
}

/** Returns whether this browser, and the way in which the page was opened, can check signatures. */
export async function isEd25519Known(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}
