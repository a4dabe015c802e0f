/** Time stamps of a third party (RFC 3161): the query, and the check of the answer. */
import { type Bytes, concat, equal, fromUtf8, Refusal, sha256, toHex, utf8 } from './bytes.ts';
import {
  BIT_STRING,
  type Der,
  der,
  INTEGER,
  marked,
  OCTET_STRING,
  OID,
  oid,
  partsOf,
  readAll,
  SEQUENCE,
  SET,
  TIME,
  UTC_TIME,
} from './der.ts';

const SIGNED_DATA = oid('1.2.840.113549.1.7.2');
const TIME_STAMP = oid('1.2.840.113549.1.9.16.1.4');
const CONTENT_TYPE = oid('1.2.840.113549.1.9.3');
const MESSAGE_DIGEST = oid('1.2.840.113549.1.9.4');
/** Attributes that name the signing certificate by its hash: SHA-1, and any. */
const SIGNING_CERTIFICATE = oid('1.2.840.113549.1.9.16.2.12');
const SIGNING_CERTIFICATE_2 = oid('1.2.840.113549.1.9.16.2.47');
const KEY_USES = oid('2.5.29.37');
const FOR_TIME_STAMPS = oid('1.3.6.1.5.5.7.3.8');
const NULL = Uint8Array.of(5, 0);
const SHA_256 = oid('2.16.840.1.101.3.4.2.1');

type Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
const hashes: readonly (readonly [Bytes, Hash])[] = [
  [SHA_256, 'SHA-256'],
  [oid('2.16.840.1.101.3.4.2.2'), 'SHA-384'],
  [oid('2.16.840.1.101.3.4.2.3'), 'SHA-512'],
];
/** Algorithms of a signature; without a hash it is the one of the message. */
const RSA = oid('1.2.840.113549.1.1.1');
const signatures: readonly (readonly [
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

/** Reads an algorithm without parameters. */
function algorithmOf<T>(table: readonly (readonly [Bytes, T])[], { content }: Der): T {
  const [name, none, ...more] = readAll(content);
  if (more.length > 0 || (none && !equal(none.bytes, NULL)))
    throw new Refusal('an unknown algorithm');
  return find(table, name?.bytes);
}

async function digest(hash: Hash, bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(hash, bytes));
}

/** Returns the query for a time stamp. @param nonce comes back in the answer */
export async function timestampQuery(signed: Bytes, nonce: Bytes): Promise<Bytes> {
  const imprint = der(
    SEQUENCE,
    der(SEQUENCE, SHA_256, NULL),
    der(OCTET_STRING, await sha256(signed)),
  );
  const version = der(INTEGER, Uint8Array.of(1));
  const wantsCertificate = Uint8Array.of(1, 1, 0xff);
  return der(SEQUENCE, version, imprint, der(INTEGER, nonce), wantsCertificate);
}

/** @throws Refusal if the answer has no time stamp */
function signedDataOf(answer: Bytes): Der {
  const [whole, ...more] = readAll(answer);
  if (whole?.tag !== SEQUENCE || more.length > 0)
    throw new Refusal('not the answer of a time-stamp service');
  const [status, token] = readAll(whole.content);
  const [granted] = status ? readAll(status.content) : [];
  // 0: granted, 1: granted with changes.
  if (granted?.content.length !== 1 || (granted.content[0] as number) > 1 || !token) {
    throw new Refusal('the service gave no time stamp');
  }
  const [type, wrapped] = partsOf(token, OID, marked(0)) as [Der, Der];
  if (!equal(type.bytes, SIGNED_DATA)) throw new Refusal('not signed data');
  return partsOf(wrapped, SEQUENCE)[0] as Der;
}

const GRANTED = der(SEQUENCE, der(INTEGER, Uint8Array.of(0)));

/**
 * Returns an answer without what its signature does not cover: other certificates, remarks, unsigned attributes. So
 * every byte of it counts. @throws Refusal if it is no answer with a time stamp
 */
export async function slimTimestamp(answer: Bytes): Promise<Bytes> {
  const parts = readAll(signedDataOf(answer).content);
  const [version, algorithms, content, certificates] = parts as [Der, Der, Der, Der];
  const [signer] = readAll((parts.at(-1) as Der).content);
  const kept = readAll((signer as Der).content).slice(0, 6);
  const attributes = kept[3] as Der;
  const named: Bytes[] = [];
  for (const each of readAll(certificates.content)) {
    if (await isNamed(each, attributes)) named.push(each.bytes);
  }
  const signedData = der(
    SEQUENCE,
    ...[version.bytes, algorithms.bytes, content.bytes, der(marked(0), ...named)],
    der(SET, der(SEQUENCE, ...kept.map(({ bytes }) => bytes))),
  );
  return der(SEQUENCE, GRANTED, der(SEQUENCE, SIGNED_DATA, der(marked(0), signedData)));
}

/** Returns the one value of a signed attribute. */
function attributeOf({ content }: Der, name: Bytes): Der | undefined {
  for (const attribute of readAll(content)) {
    const [type, values] = partsOf(attribute, OID, SET) as [Der, Der];
    if (equal(type.bytes, name)) return readAll(values.content)[0];
  }
  return undefined;
}

/** Returns whether the signed attributes name a certificate as the signing one. */
async function isNamed(certificate: Der, attributes: Der): Promise<boolean> {
  const [first, second] = [SIGNING_CERTIFICATE, SIGNING_CERTIFICATE_2].map((name) =>
    attributeOf(attributes, name),
  );
  const named = second ?? first;
  const [ids] = named ? readAll(named.content) : [];
  const [id] = ids ? readAll(ids.content) : [];
  const [one, two] = id ? readAll(id.content) : [];
  const own = second && one?.tag === SEQUENCE ? algorithmOf(hashes, one) : undefined;
  const told = own ? two : one;
  const hash = own ?? (second ? 'SHA-256' : 'SHA-1');
  return told?.tag === OCTET_STRING && equal(told.content, await digest(hash, certificate.bytes));
}

/** What a time stamp says. */
export type Timestamp = {
  /** ISO 8601. */
  readonly at: string;
  /** Who the signing certificate says it is of; nobody vouches for that here. */
  readonly by: string;
  /** SHA-256 of that certificate, in hex. */
  readonly certificate: string;
  /** Of the query, if the answer has one. */
  readonly nonce: Bytes | undefined;
};

/**
 * Checks a time stamp as `slimTimestamp` returns it.
 *
 * @throws Refusal if it was changed, or is of other bytes
 */
export async function readTimestamp(answer: Bytes, signed: Bytes): Promise<Timestamp> {
  const signedData = signedDataOf(answer);
  if (!equal(answer, await slimTimestamp(answer)))
    throw new Refusal('it has more than its signature covers');
  const [version, algorithms, content, certificates, signers] = partsOf(
    signedData,
    ...[INTEGER, SET, SEQUENCE, marked(0), SET],
  ) as [Der, Der, Der, Der, Der];
  const [signer] = partsOf(signers, SEQUENCE) as [Der];
  const parts = partsOf(signer, INTEGER, SEQUENCE, SEQUENCE, marked(0), SEQUENCE, OCTET_STRING);
  const [signerVersion, id, hashed, attributes, algorithm, signature] = parts as [
    Der,
    Der,
    Der,
    Der,
    Der,
    Der,
  ];
  const [certificate] = partsOf(certificates, SEQUENCE) as [Der];
  const owner = readCertificate(certificate);
  const isOwn = equal(id.content, concat(owner.issuer, owner.serial));
  const isAsTold = version.content[0] === 3 && signerVersion.content[0] === 1;
  if (!isOwn || !isAsTold || !equal(algorithms.content, hashed.bytes)) {
    throw new Refusal('it names another signer, version or algorithm');
  }

  const hash = algorithmOf(hashes, hashed);
  const [type, wrapped] = partsOf(content, OID, marked(0)) as [Der, Der];
  const [told] = partsOf(wrapped, OCTET_STRING) as [Der];
  const toldDigest = attributeOf(attributes, MESSAGE_DIGEST)?.content ?? utf8('');
  const toldType = attributeOf(attributes, CONTENT_TYPE)?.bytes ?? utf8('');
  if (!equal(type.bytes, TIME_STAMP) || !equal(toldType, TIME_STAMP))
    throw new Refusal('not a time stamp');
  if (!equal(toldDigest, await digest(hash, told.content)))
    throw new Refusal('its content was changed');
  const { name, hash: own = hash } = algorithmOf(signatures, algorithm);
  // The attributes are signed as a set, and carried as a marked part.
  const attributeSet = der(SET, attributes.content);
  if (!(await isSigned(owner.key, { name, hash: own }, signature.content, attributeSet))) {
    throw new Refusal('its signature is wrong');
  }

  const info = readInfo(told.content);
  if (!equal(info.digest, await sha256(signed))) throw new Refusal('it is of another signature');
  if (!owner.isForTimestamps || info.at < owner.from || info.at > owner.until) {
    throw new Refusal('its certificate is not for time stamps, or not for that time');
  }
  const { at, nonce } = info;
  return { at, nonce, by: owner.subject, certificate: toHex(await sha256(certificate.bytes)) };
}

/** Reads the content of a time stamp (TSTInfo). */
function readInfo(bytes: Bytes) {
  const [whole] = readAll(bytes);
  const [, , imprint, , time, ...rest] = whole ? readAll(whole.content) : [];
  if (!imprint || time?.tag !== TIME) throw new Refusal('it has no time');
  const [algorithm, digest] = partsOf(imprint, SEQUENCE, OCTET_STRING) as [Der, Der];
  if (algorithmOf(hashes, algorithm) !== 'SHA-256') throw new Refusal('an unknown algorithm');
  return {
    digest: digest.content,
    at: timeOf(time),
    nonce: rest.find(({ tag }) => tag === INTEGER)?.content,
  };
}

/** Returns a time as ISO 8601. */
function timeOf({ tag, content }: Der): string {
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

/** Reads what counts of a certificate (RFC 5280). */
function readCertificate(certificate: Der) {
  const [body] = partsOf(certificate, SEQUENCE, SEQUENCE, BIT_STRING) as [Der];
  // Version 3 comes first, marked.
  const [, serial, , issuer, validity, subject, key, ...more] = readAll(body.content);
  if (!serial || !issuer || !validity || !subject || !key) throw new Refusal('not a certificate');
  const [from, until] = readAll(validity.content).map(timeOf);
  const extensions = more.find(({ tag }) => tag === marked(3));
  const [list] = extensions ? readAll(extensions.content) : [];
  const uses =
    list &&
    readAll(list.content).find(({ content }) =>
      equal(readAll(content)[0]?.bytes ?? utf8(''), KEY_USES),
    );
  const [usesList] = uses ? readAll(readAll(uses.content).at(-1)?.content ?? utf8('')) : [];
  return {
    issuer: issuer.bytes,
    serial: serial.bytes,
    from: from ?? '',
    until: until ?? '',
    subject: nameOf(subject),
    key,
    isForTimestamps: usesList
      ? readAll(usesList.content).some(({ bytes }) => equal(bytes, FOR_TIME_STAMPS))
      : false,
  };
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

async function isSigned(
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
