/** Certificates (X.509, RFC 5280), as far as time stamps need them. */
import { type Bytes, concat, equal, fromUtf8, Refusal, utf8 } from './bytes.ts';
import {
  BIT_STRING,
  BOOLEAN,
  type Der,
  INTEGER,
  marked,
  oid,
  partsOf,
  readAll,
  SEQUENCE,
  UTC_TIME,
} from './der.ts';

const KEY_USAGE = oid('2.5.29.15');
const BASIC_CONSTRAINTS = oid('2.5.29.19');
const KEY_USES = oid('2.5.29.37');
const FOR_TIME_STAMPS = oid('1.3.6.1.5.5.7.3.8');
const NULL = Uint8Array.of(5, 0);
const SHA_256 = oid('2.16.840.1.101.3.4.2.1');
/** The bit of a key that may sign certificates. */
const SIGNS_CERTIFICATES = 0x04;
/** Extensions that may be critical. Any other could limit a certificate in a way that nobody checks here. */
const KNOWN = [KEY_USAGE, BASIC_CONSTRAINTS, KEY_USES, oid('2.5.29.32')];

export type Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
export const hashes: readonly (readonly [Bytes, Hash])[] = [
  [SHA_256, 'SHA-256'],
  [oid('2.16.840.1.101.3.4.2.2'), 'SHA-384'],
  [oid('2.16.840.1.101.3.4.2.3'), 'SHA-512'],
];
/** Algorithms of a signature; without a hash it is the one of the message. */
const RSA = oid('1.2.840.113549.1.1.1');
export const signatures: readonly (readonly [
  Bytes,
  { readonly name: 'RSA' | 'ECDSA'; readonly hash?: Hash },
])[] = [
  [RSA, { name: 'RSA' }],
  ...(['SHA-256', 'SHA-384', 'SHA-512'] as const).flatMap((hash, at) => [
    [oid(`1.2.840.113549.1.1.${11 + at}`), { name: 'RSA', hash }] as const,
    [oid(`1.2.840.10045.4.3.${2 + at}`), { name: 'ECDSA', hash }] as const,
  ]),
];
const curves: readonly (readonly [
  Bytes,
  { readonly namedCurve: string; readonly bytes: number },
])[] = [
  [oid('1.2.840.10045.3.1.7'), { namedCurve: 'P-256', bytes: 32 }],
  [oid('1.3.132.0.34'), { namedCurve: 'P-384', bytes: 48 }],
];

function find<T>(table: readonly (readonly [Bytes, T])[], wanted: Bytes | undefined): T {
  const [, found] = table.find(([key]) => wanted && equal(key, wanted)) ?? [];
  if (found === undefined) throw new Refusal('an unknown algorithm');
  return found;
}

/** Reads an algorithm without parameters. @throws Refusal if it is unknown */
export function algorithmOf<T>(table: readonly (readonly [Bytes, T])[], { content }: Der): T {
  const [name, none, ...more] = readAll(content);
  if (more.length > 0 || (none && !equal(none.bytes, NULL)))
    throw new Refusal('an unknown algorithm');
  return find(table, name?.bytes);
}

/** Returns the hash of bytes. */
export async function digest(hash: Hash, bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(hash, bytes));
}

/** Returns a time as ISO 8601. */
export function timeOf({ tag, content }: Der): string {
  const text = fromUtf8(content);
  const century = Number(text.slice(0, 2)) < 50 ? '20' : '19';
  const full = tag === UTC_TIME ? century + text : text;
  const parts = full.match(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/);
  const [, year, month, day, hour, minute, second, fraction = ''] = parts ?? [];
  const at = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`,
  );
  if (Number.isNaN(at.getTime())) throw new Refusal('not a time');
  return at.toISOString();
}

/** What counts of a certificate. */
export type Certificate = {
  /** The whole certificate. */
  readonly bytes: Bytes;
  readonly issuer: Bytes;
  readonly subject: Bytes;
  /** Common name and organization of the subject. */
  readonly name: string;
  /** ISO 8601. */
  readonly from: string;
  readonly until: string;
  readonly key: Der;
  readonly isForTimestamps: boolean;
  /** How many authorities may stand between it and the last certificate; undefined: it may sign none. */
  readonly mostBelow: number | undefined;
  /** The issuer's signature. */
  readonly signed: Bytes;
  readonly algorithm: Der;
  readonly signature: Bytes;
};

/** Reads a certificate. @throws Refusal if it has another form, or a critical extension that is unknown */
export function readCertificate(certificate: Der): Certificate {
  const parts = partsOf(certificate, SEQUENCE, SEQUENCE, BIT_STRING) as [Der, Der, Der];
  const [body, algorithm, signature] = parts;
  // Version 3 comes first, marked.
  const [, , inner, issuer, validity, subject, key, ...more] = readAll(body.content);
  if (!inner || !issuer || !validity || !subject || !key) throw new Refusal('not a certificate');
  if (!equal(inner.bytes, algorithm.bytes)) throw new Refusal('it names two algorithms');
  const [from = '', until = ''] = readAll(validity.content).map(timeOf);
  const extensions = extensionsOf(more.find(({ tag }) => tag === marked(3)));
  return {
    ...{ bytes: certificate.bytes, issuer: issuer.bytes, subject: subject.bytes },
    ...{ name: nameOf(subject), from, until, key, algorithm },
    isForTimestamps: (extensions(KEY_USES) ?? []).some(({ bytes }) =>
      equal(bytes, FOR_TIME_STAMPS),
    ),
    mostBelow: mostBelow(extensions(BASIC_CONSTRAINTS), extensions(KEY_USAGE)),
    signed: body.bytes,
    // The first byte counts the unused bits.
    signature: signature.content.slice(1),
  };
}

/** Returns what finds the parts of an extension's value. */
function extensionsOf(marker: Der | undefined): (name: Bytes) => Der[] | undefined {
  const [list] = marker ? readAll(marker.content) : [];
  const all = (list ? readAll(list.content) : []).map(({ content }) => {
    const [name, ...rest] = readAll(content);
    const isCritical = rest[0]?.tag === BOOLEAN && rest[0].content[0] !== 0;
    if (!name || (isCritical && !KNOWN.some((each) => equal(each, name.bytes)))) {
      throw new Refusal('it has a critical extension that is unknown');
    }
    return { name: name.bytes, value: rest.at(-1)?.content ?? utf8('') };
  });
  return (name) => {
    const found = all.find((each) => equal(each.name, name));
    const [value] = found ? readAll(found.value) : [];
    return value && (value.tag === SEQUENCE ? readAll(value.content) : [value]);
  };
}

function mostBelow(basic: Der[] | undefined, usage: Der[] | undefined): number | undefined {
  const [isAuthority, limit] = basic ?? [];
  if (isAuthority?.tag !== BOOLEAN || isAuthority.content[0] === 0) return undefined;
  const bits = usage?.[0]?.content[1];
  if (usage && !((bits ?? 0) & SIGNS_CERTIFICATES)) return undefined;
  return limit?.tag === INTEGER ? limit.content[0] : Number.POSITIVE_INFINITY;
}

/** Common name and organization. */
const NAMES = [oid('2.5.4.3'), oid('2.5.4.10')];

function nameOf(subject: Der): string {
  const parts = readAll(subject.content).flatMap(({ content }) => readAll(content));
  const found = parts.flatMap(({ content }) => {
    const [type, value] = readAll(content);
    return type && value && NAMES.some((name) => equal(name, type.bytes)) ? [value.content] : [];
  });
  return found.map((each) => new TextDecoder().decode(each)).join(', ');
}

/** Returns whether a key signed bytes. */
export async function isSigned(
  key: Der,
  { name, hash }: { name: 'RSA' | 'ECDSA'; hash: Hash },
  signature: Bytes,
  signed: Bytes,
): Promise<boolean> {
  if (name === 'RSA') {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash };
    const imported = await crypto.subtle.importKey('spki', key.bytes, algorithm, false, ['verify']);
    return crypto.subtle.verify(algorithm, imported, signature, signed);
  }
  const [, curve] = readAll(readAll(key.content)[0]?.content ?? utf8(''));
  const { namedCurve, bytes } = find(curves, curve?.bytes);
  const algorithm = { name, namedCurve, hash };
  const imported = await crypto.subtle.importKey('spki', key.bytes, algorithm, false, ['verify']);
  const [pair] = partsOf({ content: signature }, SEQUENCE) as [Der];
  // WebCrypto takes both numbers with a fixed length.
  const numbers = partsOf(pair, INTEGER, INTEGER);
  const fixed = numbers.map(({ content }) => {
    // A zero before a high bit keeps a number from being negative.
    const hasZero = content[0] === 0 && (content[1] ?? 0) >= 0x80;
    const number = hasZero ? content.slice(1) : content;
    if (number.length > bytes) throw new Refusal('its signature is wrong');
    return concat(new Uint8Array(bytes - number.length), number);
  });
  return crypto.subtle.verify(algorithm, imported, concat(...fixed), signed);
}

/** Reads certificates from a file: PEM, of one or more, or DER. @throws Refusal if there is none */
export function readCertificates(file: Bytes): Bytes[] {
  const text = new TextDecoder().decode(file);
  const pems = [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)];
  const found = pems.map(([, base64 = '']) =>
    Uint8Array.from(atob(base64.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0)),
  );
  const all = found.length > 0 ? found : [file];
  for (const bytes of all) {
    const [certificate, ...more] = readAll(bytes);
    if (!certificate || more.length > 0) throw new Refusal('not a certificate');
    readCertificate(certificate);
  }
  return all;
}

/**
 * Returns whether a certificate is trusted, or signed by one that is, directly or through others.
 *
 * @param options.others certificates that may stand between them; those of another form are passed over
 * @param options.at when they must be valid, ISO 8601
 */
export async function isVouchedFor(
  certificate: Certificate,
  options: {
    readonly trusted: readonly Bytes[];
    readonly others: readonly Der[];
    readonly at: string;
  },
): Promise<boolean> {
  const { trusted, others, at } = options;
  const isTrusted = ({ bytes }: Certificate) => trusted.some((each) => equal(each, bytes));
  const anchors = trusted.flatMap((each) => readAll(each));
  let unused = [...anchors, ...others].flatMap(readOrPass);
  let reached = [certificate];
  for (let below = 0; reached.length > 0; below += 1) {
    if (reached.some(isTrusted)) return true;
    const next: Certificate[] = [];
    for (const issuer of unused) {
      const isFit =
        isTrusted(issuer) ||
        ((issuer.mostBelow ?? -1) >= below && issuer.from <= at && at <= issuer.until);
      if (isFit && (await hasSigned(issuer, reached))) next.push(issuer);
    }
    // Each is used once, so a circle ends.
    unused = unused.filter((each) => !next.includes(each));
    reached = next;
  }
  return false;
}

function readOrPass(certificate: Der): Certificate[] {
  try {
    return [readCertificate(certificate)];
  } catch {
    return [];
  }
}

async function hasSigned(issuer: Certificate, some: readonly Certificate[]): Promise<boolean> {
  for (const each of some) {
    if (!equal(each.issuer, issuer.subject)) continue;
    try {
      const { name, hash } = algorithmOf(signatures, each.algorithm);
      if (!hash) continue;
      if (await isSigned(issuer.key, { name, hash }, each.signature, each.signed)) return true;
    } catch {
      // An algorithm or a key of another kind vouches for nothing.
    }
  }
  return false;
}
