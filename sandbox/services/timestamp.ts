import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import {
  BIT_STRING,
  BOOLEAN,
  der,
  INTEGER,
  marked,
  OCTET_STRING,
  oid,
  readAll,
  SEQUENCE,
  SET,
  TIME,
} from '../../src/evidence/der.ts';
import { refuse, reply, type SandboxContext, type Service } from '../service.ts';

const ascii = (text: string) => Buffer.from(text, 'latin1');
const number = (value: number) => der(INTEGER, Uint8Array.of(value));
const sequence = (...parts: Uint8Array[]) => der(SEQUENCE, ...parts);
const set = (...parts: Uint8Array[]) => der(SET, ...parts);
const bits = (bytes: Uint8Array) => der(BIT_STRING, Uint8Array.of(0), bytes);
const octets = (bytes: Uint8Array) => der(OCTET_STRING, bytes);
const time = (at: Date) => der(TIME, ascii(`${at.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`));
const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');

const SIGNED_DATA = oid('1.2.840.113549.1.7.2');
const TIME_STAMP = oid('1.2.840.113549.1.9.16.1.4');
const SHA_256 = sequence(oid('2.16.840.1.101.3.4.2.1'));
const SIGNED_WITH = sequence(oid('1.2.840.10045.4.3.2'));
const POLICY = oid('1.3.6.1.4.1.99999.1');
const nameOf = (text: string) => sequence(set(sequence(oid('2.5.4.3'), der(0x0c, ascii(text)))));
const YEARS = 10;
const TRUE = der(BOOLEAN, Uint8Array.of(0xff));
/** `openssl ts -verify` wants the use of the key marked as critical. */
const FOR_TIME_STAMPS = sequence(
  ...[oid('2.5.29.37'), TRUE, octets(sequence(oid('1.3.6.1.5.5.7.3.8')))],
);
const AUTHORITY = sequence(oid('2.5.29.19'), TRUE, octets(sequence(TRUE)));

type Owner = { readonly name: Uint8Array; readonly privateKey: KeyObject };

/** Makes a key and its certificate. @param by who signs it; undefined: itself */
function certify(text: string, extension: Uint8Array, now: Date, by?: Owner) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const until = new Date(now);
  until.setUTCFullYear(until.getUTCFullYear() + YEARS);
  const own = { name: nameOf(text), privateKey };
  const { name: issuer, privateKey: signs } = by ?? own;
  const body = sequence(
    der(marked(0), number(2)),
    ...[number(1), SIGNED_WITH, issuer, sequence(time(new Date(0)), time(until)), own.name],
    publicKey.export({ format: 'der', type: 'spki' }),
    der(marked(3), sequence(extension)),
  );
  const certificate = sequence(body, SIGNED_WITH, bits(sign('sha256', body, signs)));
  return { ...own, issuer, certificate };
}

/** Returns the digest and the nonce of a query (RFC 3161); undefined if it is none. */
function readQuery(body: string) {
  try {
    const [query] = readAll(Uint8Array.from(ascii(body)));
    const [, imprint, ...rest] = query ? readAll(query.content) : [];
    const [algorithm, digest] = imprint ? readAll(imprint.content) : [];
    const isSha256 = ascii(Buffer.from(algorithm?.content ?? []).toString('latin1')).includes(
      Buffer.from(oid('2.16.840.1.101.3.4.2.1')),
    );
    if (!isSha256 || digest?.content.length !== 32) return undefined;
    return { imprint, nonce: rest.find(({ tag }) => tag === INTEGER) };
  } catch {
    return undefined;
  }
}

/** Makes a time-stamp service. Between its certificate and its root there is another one, which it sends along. */
export function createStamper(now: () => Date) {
  const root = certify('Sandbox root', AUTHORITY, now());
  const authority = certify('Sandbox authority', AUTHORITY, now(), root);
  const signing = certify('Sandbox time stamps', FOR_TIME_STAMPS, now(), authority);
  const { privateKey, certificate, issuer } = signing;
  let serial = 0;
  const attribute = (type: string, value: Uint8Array) => sequence(oid(type), set(value));

  function stamp({ imprint, nonce }: NonNullable<ReturnType<typeof readQuery>>): Buffer {
    serial = (serial % 120) + 1;
    const info = sequence(
      ...[number(1), POLICY, imprint?.bytes ?? Uint8Array.of(), number(serial), time(now())],
      nonce?.bytes ?? Uint8Array.of(),
    );
    const attributes = [
      attribute('1.2.840.113549.1.9.3', TIME_STAMP),
      attribute('1.2.840.113549.1.9.4', octets(sha256(info))),
      attribute(
        '1.2.840.113549.1.9.16.2.47',
        sequence(sequence(sequence(octets(sha256(certificate))))),
      ),
    ].sort(Buffer.compare);
    const signer = sequence(
      ...[number(1), sequence(issuer, number(1)), SHA_256, der(marked(0), ...attributes)],
      ...[SIGNED_WITH, octets(sign('sha256', set(...attributes), privateKey))],
    );
    const content = sequence(TIME_STAMP, der(marked(0), octets(info)));
    const signedData = sequence(
      ...[number(3), set(SHA_256), content],
      ...[der(marked(0), authority.certificate, certificate), set(signer)],
    );
    const token = sequence(SIGNED_DATA, der(marked(0), signedData));
    return Buffer.from(sequence(sequence(number(0)), token));
  }

  /** Answers a query; undefined if it is none. */
  function answer(query: string): Buffer | undefined {
    const read = readQuery(query);
    return read && stamp(read);
  }
  return { root: Buffer.from(root.certificate), answer };
}

/** Imitates a time-stamp service (RFC 3161): `POST /timestamp`, DER. `GET /timestamp/root` has its root certificate. */
export function timestampService({ now }: SandboxContext): Service {
  const { root, answer } = createStamper(now);
  return {
    name: 'timestamp',
    title: 'Time stamps (RFC 3161)',
    routes: [
      {
        method: 'GET',
        path: '/timestamp/root',
        handle: () => reply(root, 200, { 'content-type': 'application/pkix-cert' }),
      },
      {
        method: 'POST',
        path: '/timestamp',
        handle({ body, headers }) {
          const stamp = answer(body);
          if (headers['content-type'] !== 'application/timestamp-query' || !stamp) {
            return refuse('body: not a time-stamp query', { status: 400, body: 'bad query' });
          }
          return reply(stamp, 200, { 'content-type': 'application/timestamp-reply' });
        },
      },
    ],
  };
}
