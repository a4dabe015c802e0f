/** Time stamps of the sandbox and of OpenSSL verify, and OpenSSL takes those of the sandbox. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { makeStamper } from '../../tests/support/evidence-pack.ts';
import { type Bytes, concat, utf8 } from './bytes.ts';
import { isVouchedFor, readCertificates } from './certificates.ts';
import { readTimestamp, type Timestamp, timestampQuery } from './timestamp.ts';

const signed = utf8('a signature');
const nonce = Uint8Array.of(0x42, 7);
const dir = mkdtempSync(join(tmpdir(), 'timestamp-'));
const at = (name: string) => join(dir, name);
let sandbox: Sandbox;
let stamp: Bytes;
let root: Bytes;
const pemOf = (certificate: Bytes) => {
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
};

beforeAll(async () => {
  sandbox = await startSandbox();
  const response = await fetch(`${sandbox.url}/timestamp`, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: await timestampQuery(signed, nonce),
  });
  stamp = new Uint8Array(await response.arrayBuffer());
  root = new Uint8Array(await (await fetch(`${sandbox.url}/timestamp/root`)).arrayBuffer());
});
afterAll(async () => {
  await sandbox.close();
  rmSync(dir, { recursive: true });
});

test('a time stamp says when, by whom, and answers the query', async () => {
  const read = await readTimestamp(stamp, signed);
  expect(read).toMatchObject({ by: 'Sandbox time stamps', nonce });
  expect(Math.abs(Date.parse(read.at) - Date.now())).toBeLessThan(3_600_000);
  await expect(readTimestamp(stamp, utf8('another'))).rejects.toThrow('of another pack');
});

test('what is no answer, or has no certificate, is refused', async () => {
  await expect(readTimestamp(concat(stamp, stamp), signed)).rejects.toThrow('not the answer');
  await expect(readTimestamp(utf8('<!doctype html>'), signed)).rejects.toThrow();
});

test('no changed byte gives another time, name or certificate', async () => {
  const told = ({ at: time, by, certificate }: Timestamp) => [time, by, certificate];
  const right = told(await readTimestamp(stamp, signed));
  for (let index = 0; index < stamp.length; index += 1) {
    const changed = stamp.slice();
    (changed[index] as number) ^= 1 << (index % 8);
    const outcome = await readTimestamp(changed, signed).then(told, () => right);
    expect(outcome, `byte ${index}`).toEqual(right);
  }
});

describe('a certificate that the reader trusts', () => {
  const asks = async (trusted: readonly Bytes[], change: object = {}) => {
    const { signer, others, at: time } = await readTimestamp(stamp, signed);
    return isVouchedFor(signer, { trusted, others, at: time, ...change });
  };
  test('vouches, be it the root, the one between, or the service’s own', async () => {
    const { signer, others } = await readTimestamp(stamp, signed);
    const [between] = others;
    for (const each of [root, between?.bytes ?? root, signer.bytes]) {
      expect(await asks([each])).toBe(true);
      expect(await asks([makeStamper(new Date()).root, each])).toBe(true);
    }
  });

  test('does not vouch if it is another of the same name, or one between is missing or too old', async () => {
    expect(await asks([makeStamper(new Date()).root])).toBe(false);
    expect(await asks([])).toBe(false);
    expect(await asks([root], { others: [] })).toBe(false);
    expect(await asks([root], { at: '2150-01-01T00:00:00.000Z' })).toBe(false);
  });

  test('is read from PEM, of one or more, and DER', () => {
    const pem = pemOf(root);
    expect(readCertificates(utf8(`${pem}\n${pem}`))).toEqual([root, root]);
    expect(readCertificates(root)).toEqual([root]);
    for (const wrong of ['', 'text', pem.replace(/\n.{8}/, '\nAAAAAAAA')]) {
      expect(() => readCertificates(utf8(wrong))).toThrow();
    }
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const openssl = (...args: readonly string[]) =>
  execFileSync('openssl', args, { stdio: 'pipe' }).toString();
const CONFIG = `
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[closed]
basicConstraints = critical, CA:true, pathlen:0
[limited]
basicConstraints = critical, CA:true
nameConstraints = critical, permitted;DNS:example.com
[no_authority]
basicConstraints = CA:false
[no_signer]
basicConstraints = CA:true
keyUsage = critical, cRLSign
[uses]
extendedKeyUsage = critical, timeStamping
[tsa]
serial = ${at('serial')}
default_policy = 1.2.3.4
digests = sha256, sha384
signer_digest = sha256
`;

/** Makes a key, and a certificate that another one signs; without one it signs itself. */
function certify(name: string, extensions: string, key: readonly string[], by?: string): void {
  const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)];
  openssl(
    ...['req', '-x509', '-nodes', '-config', at('config'), '-extensions', extensions],
    ...['-subj', `/CN=${name}/O=Ana`, ...key, ...files],
    ...(by ? ['-CA', at(`${by}.pem`), '-CAkey', at(`${by}.key`)] : []),
  );
}

/** Returns OpenSSL's answer to our query, which sends along the certificates of others. */
async function stampBy(name: string, ...others: readonly string[]): Promise<Bytes> {
  writeFileSync(at('query'), await timestampQuery(signed, nonce));
  writeFileSync(at('chain'), others.map((each) => readFileSync(at(`${each}.pem`))).join(''));
  openssl(
    ...['ts', '-reply', '-config', at('config'), '-section', 'tsa', '-queryfile', at('query')],
    ...['-signer', at(`${name}.pem`), '-inkey', at(`${name}.key`), '-out', at('reply')],
    ...(others.length > 0 ? ['-chain', at('chain')] : []),
  );
  return Uint8Array.from(readFileSync(at('reply')));
}

const RSA = ['-newkey', 'rsa:2048'];
const ec = (curve: string) => ['-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${curve}`];

describe.runIf(hasOpenssl)('with openssl', () => {
  beforeAll(() => {
    writeFileSync(at('config'), CONFIG);
    writeFileSync(at('serial'), '01');
    certify('Root', 'authority', RSA);
    certify('Other', 'authority', ec('P-256'));
  });

  const verifies = (root: string) =>
    spawnSync('openssl', [
      ...['ts', '-verify', '-data', at('signed'), '-in', at('stamp'), '-CAfile', at(root)],
    ]).status === 0;

  test.each([
    ['rsa', RSA],
    ['p384', ec('P-384')],
  ])('OpenSSL’s stamp with a key of %s verifies', async (name, key) => {
    certify(name, 'uses', key);
    const answer = await stampBy(name);
    expect(await readTimestamp(answer, signed)).toMatchObject({ by: `${name}, Ana`, nonce });
  });

  test('a stamp below two authorities leads to its root, for us and for OpenSSL', async () => {
    certify('Upper', 'authority', ec('P-384'), 'Root');
    certify('Lower', 'authority', ec('P-256'), 'Upper');
    certify('Stamps', 'uses', RSA, 'Lower');
    const answer = await stampBy('Stamps', 'Lower', 'Upper');
    const { signer, others, at: time } = await readTimestamp(answer, signed);
    const asks = (name: string) => {
      const trusted = readCertificates(Uint8Array.from(readFileSync(at(name))));
      return isVouchedFor(signer, { trusted, others, at: time });
    };
    writeFileSync(at('stamp'), answer);
    writeFileSync(at('signed'), signed);
    expect([await asks('Root.pem'), verifies('Root.pem')]).toEqual([true, true]);
    expect([await asks('Other.pem'), verifies('Other.pem')]).toEqual([false, false]);
  });

  test.each(['closed', 'limited', 'no_authority', 'no_signer'])(
    'an authority that may not sign another does not lead to the root: %s',
    async (kind) => {
      certify('Upper', kind, RSA, 'Root');
      certify('Lower', 'authority', RSA, 'Upper');
      certify('Stamps', 'uses', RSA, 'Lower');
      const answer = await stampBy('Stamps', 'Lower', 'Upper');
      const { signer, others, at: time } = await readTimestamp(answer, signed);
      const trusted = readCertificates(Uint8Array.from(readFileSync(at('Root.pem'))));
      expect(await isVouchedFor(signer, { trusted, others, at: time })).toBe(false);
    },
  );

  test('OpenSSL takes a stamp of the sandbox, with its root', () => {
    writeFileSync(at('stamp'), stamp);
    writeFileSync(at('signed'), signed);
    writeFileSync(at('sandbox.pem'), pemOf(root));
    expect([verifies('sandbox.pem'), verifies('Other.pem')]).toEqual([true, false]);
  });
});
