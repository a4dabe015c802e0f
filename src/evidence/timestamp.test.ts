/** Time stamps of the sandbox and of OpenSSL verify, and OpenSSL takes those of the sandbox. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { type Bytes, concat, utf8 } from './bytes.ts';
import { der, INTEGER, readAll, SEQUENCE } from './der.ts';
import { readTimestamp, slimTimestamp, timestampQuery } from './timestamp.ts';

const signed = utf8('a signature');
const nonce = Uint8Array.of(0x42, 7);
const dir = mkdtempSync(join(tmpdir(), 'timestamp-'));
const at = (name: string) => join(dir, name);
let sandbox: Sandbox;
let stamp: Bytes;

beforeAll(async () => {
  sandbox = await startSandbox();
  const response = await fetch(`${sandbox.url}/timestamp`, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: await timestampQuery(signed, nonce),
  });
  stamp = await slimTimestamp(new Uint8Array(await response.arrayBuffer()));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(dir, { recursive: true });
});

test('a time stamp says when, by whom, and answers the query', async () => {
  const read = await readTimestamp(stamp, signed);
  expect(read).toMatchObject({ by: 'Sandbox time stamps', nonce });
  expect(Math.abs(Date.parse(read.at) - Date.now())).toBeLessThan(3_600_000);
  await expect(readTimestamp(stamp, utf8('another'))).rejects.toThrow('of another signature');
});

test('every byte of it counts', async () => {
  for (let index = 0; index < stamp.length; index += 1) {
    for (const bit of [1, 0x80]) {
      const changed = stamp.slice();
      (changed[index] as number) ^= bit;
      const outcome = await readTimestamp(changed, signed).catch(() => 'refused');
      expect(outcome, `byte ${index}`).toBe('refused');
    }
  }
});

test('nothing can be added to it', async () => {
  const [whole] = readAll(stamp);
  const [, token] = readAll(whole?.content ?? utf8(''));
  const status = der(SEQUENCE, der(INTEGER, Uint8Array.of(1)));
  const remarked = der(SEQUENCE, status, token?.bytes ?? utf8(''));
  await expect(readTimestamp(remarked, signed)).rejects.toThrow('more than its signature covers');
  await expect(readTimestamp(concat(stamp, stamp), signed)).rejects.toThrow('not the answer');
  await expect(slimTimestamp(utf8('<!doctype html>'))).rejects.toThrow();
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' }).toString();
const CONFIG = `
[req]
distinguished_name = name
x509_extensions = uses
[name]
[uses]
extendedKeyUsage = critical, timeStamping
[tsa]
serial = ${at('serial')}
default_policy = 1.2.3.4
digests = sha256, sha384
signer_digest = sha256
`;

test.runIf(hasOpenssl).each([
  ['rsa', ['-newkey', 'rsa:2048']],
  ['p384', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
])('OpenSSL’s stamp with a key of %s verifies: needs openssl', async (name, key) => {
  writeFileSync(at('config'), CONFIG);
  writeFileSync(at('serial'), '01');
  writeFileSync(at('query'), await timestampQuery(signed, nonce));
  const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)];
  openssl(
    'req',
    '-x509',
    '-nodes',
    '-config',
    at('config'),
    '-subj',
    '/CN=Stamps/O=Ana',
    ...key,
    ...files,
  );
  openssl(
    ...['ts', '-reply', '-config', at('config'), '-section', 'tsa', '-queryfile', at('query')],
    ...['-signer', at(`${name}.pem`), '-inkey', at(`${name}.key`), '-out', at('reply')],
  );
  const slim = await slimTimestamp(Uint8Array.from(readFileSync(at('reply'))));
  expect(await readTimestamp(slim, signed)).toMatchObject({ by: 'Stamps, Ana', nonce });
});

test.runIf(hasOpenssl)('OpenSSL takes a stamp of the sandbox: needs openssl', () => {
  writeFileSync(at('stamp'), stamp);
  writeFileSync(at('signed'), signed);
  openssl('ts', '-reply', '-in', at('stamp'), '-token_out', '-out', at('token'));
  openssl('pkcs7', '-inform', 'DER', '-in', at('token'), '-print_certs', '-out', at('certificate'));
  const said = openssl(
    ...['ts', '-verify', '-data', at('signed'), '-in', at('stamp'), '-CAfile', at('certificate')],
  );
  expect(said).toContain('OK');
});
