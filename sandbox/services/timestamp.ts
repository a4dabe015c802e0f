import { generateKeyPairSync, hash, sign } from 'node:crypto';
import {
  BIT_STRING,
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
const NAME = sequence(set(sequence(oid('2.5.4.3'), der(0x0c, ascii('Sandbox time stamps')))));
const YEARS = 10;

/** Makes a key and its self-signed certificate, which is for time stamps only. */
function makeSigner(now: Date) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const until = new Date(now);
  until.setUTCFullYear(until.getUTCFullYear() + YEARS);
  // `openssl ts -verify` wants this extension marked as critical.
  const critical = Uint8Array.of(1, 1, 0xff);
  const use = octets(sequence(oid('1.3.6.1.5.5.7.3.8')));
  const body = sequence(
    der(marked(0), number(2)),
    ...[number(1), SIGNED_WITH, NAME, sequence(time(new Date(0)), time(until)), NAME],
    publicKey.export({ format: 'der', type: 'spki' }),
    der(marked(3), sequence(sequence(oid('2.5.29.37'), critical, use))),
  );
  const certificate = sequence(body, SIGNED_WITH, bits(sign('sha256', body, privateKey)));
  return { privateKey, certificate };
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

/** Imitates a time-stamp service (RFC 3161): `POST /timestamp`, DER. */
export function timestampService({ now }: SandboxContext): Service {
  const { privateKey, certificate } = makeSigner(now());
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
      ...[number(1), sequence(NAME, number(1)), SHA_256, der(marked(0), ...attributes)],
      ...[SIGNED_WITH, octets(sign('sha256', set(...attributes), privateKey))],
    );
    const content = sequence(TIME_STAMP, der(marked(0), octets(info)));
    const signedData = sequence(
      ...[number(3), set(SHA_256), content, der(marked(0), certificate), set(signer)],
    );
    const token = sequence(SIGNED_DATA, der(marked(0), signedData));
    return Buffer.from(sequence(sequence(number(0)), token));
  }

  return {
    name: 'timestamp',
    title: 'Time stamps (RFC 3161)',
    routes: [
      {
        method: 'POST',
        path: '/timestamp',
        handle({ body, headers }) {
          const query = readQuery(body);
          if (headers['content-type'] !== 'application/timestamp-query' || !query) {
            return refuse('body: not a time-stamp query', { status: 400, body: 'bad query' });
          }
          return reply(stamp(query), 200, { 'content-type': 'application/timestamp-reply' });
        },
      },
    ],
  };
}
