/** Time stamps of a third party (RFC 3161): the query, and the check of the answer. */
import { type Bytes, equal, Refusal, sha256, toHex, utf8 } from './bytes.ts';
import {
  algorithmOf,
  type Certificate,
  digest,
  hashes,
  isSigned,
  readCertificate,
  signatures,
  timeOf,
} from './certificates.ts';
import {
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
} from './der.ts';

const SIGNED_DATA = oid('1.2.840.113549.1.7.2');
const TIME_STAMP = oid('1.2.840.113549.1.9.16.1.4');
const CONTENT_TYPE = oid('1.2.840.113549.1.9.3');
const MESSAGE_DIGEST = oid('1.2.840.113549.1.9.4');
/** Attributes that name the signing certificate by its hash: SHA-1, and any. */
const SIGNING_CERTIFICATE = oid('1.2.840.113549.1.9.16.2.12');
const SIGNING_CERTIFICATE_2 = oid('1.2.840.113549.1.9.16.2.47');
const NULL = Uint8Array.of(5, 0);
const SHA_256 = oid('2.16.840.1.101.3.4.2.1');

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
  readonly signer: Certificate;
  /** The other certificates that the service sent along. */
  readonly others: readonly Der[];
};

/**
 * Checks the answer of a time-stamp service. What its signature does not cover, such as other certificates, is not
 * checked here: a pack's signature covers the whole answer.
 *
 * @throws Refusal if it was changed, or is of other bytes
 */
export async function readTimestamp(answer: Bytes, signed: Bytes): Promise<Timestamp> {
  const parts = readAll(signedDataOf(answer).content);
  const [, , content, ...more] = parts;
  const sent = more.find(({ tag }) => tag === marked(0));
  const signers = more.at(-1);
  if (!content || !sent || signers?.tag !== SET) throw new Refusal('it has no certificate');
  const [signer] = partsOf(signers, SEQUENCE) as [Der];
  const [, , hashed, attributes, algorithm, signature] = readAll(signer.content);
  if (!hashed || attributes?.tag !== marked(0) || !algorithm || !signature) {
    throw new Refusal('its signer has another form than expected');
  }
  let own: Der | undefined;
  const others: Der[] = [];
  for (const each of readAll(sent.content)) {
    if (!own && (await isNamed(each, attributes))) own = each;
    else others.push(each);
  }
  if (!own) throw new Refusal('its certificate is missing');
  const owner = readCertificate(own);

  const hash = algorithmOf(hashes, hashed);
  const [type, wrapped] = partsOf(content, OID, marked(0)) as [Der, Der];
  const [told] = partsOf(wrapped, OCTET_STRING) as [Der];
  const toldDigest = attributeOf(attributes, MESSAGE_DIGEST)?.content ?? utf8('');
  const toldType = attributeOf(attributes, CONTENT_TYPE)?.bytes ?? utf8('');
  if (!equal(type.bytes, TIME_STAMP) || !equal(toldType, TIME_STAMP))
    throw new Refusal('not a time stamp');
  if (!equal(toldDigest, await digest(hash, told.content)))
    throw new Refusal('its content was changed');
  const { name, hash: ofSignature = hash } = algorithmOf(signatures, algorithm);
  // The attributes are signed as a set, and carried as a marked part.
  const attributeSet = der(SET, attributes.content);
  const algorithms = { name, hash: ofSignature };
  if (!(await isSigned(owner.key, algorithms, signature.content, attributeSet))) {
    throw new Refusal('its signature is wrong');
  }

  const info = readInfo(told.content);
  if (!equal(info.digest, await sha256(signed))) throw new Refusal('it is of another pack');
  if (!owner.isForTimestamps || info.at < owner.from || info.at > owner.until) {
    throw new Refusal('its certificate is not for time stamps, or not for that time');
  }
  const certificate = toHex(await sha256(own.bytes));
  return {
    ...{ at: info.at, nonce: info.nonce },
    by: owner.name,
    certificate,
    signer: owner,
    others,
  };
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
