import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, expect } from '@playwright/test';
import { fillLeads, openFillingPool } from '../../bench/fill-leads.ts';
import { readZip } from '../../src/evidence/zip.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { findRunningEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts';
import { appendPending } from '../../src/server/operators/evidence/log.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { endProgram, type Stack, startSandbox, startStack } from './support/stack.ts';
import { walkSurvey, watchLeadId } from './support/survey-page.ts';

/** What happens to a server in the years between a lead and the day on which its proof is asked for. */

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const genuine = 'Genuine, as far as it was checked';
const FURTHER_LEADS = 100_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a pack verifies offline after restart, rotation, erasure, 100,000 leads and restore @evidence', async ({
  browser,
}) => {
  test.setTimeout(2_400_000);
  const folder = mkdtempSync(join(tmpdir(), 'evidence-life-'));
  const safe = join(folder, 'safe');
  let dataDir = join(folder, 'data');
  const port = await freePort();
  const sandbox = await startSandbox();
  // The ports that follow from the first may be anybody's.
  const others = { CONSOLE_PORT: 'off', OPERATIONS_PORT: 'off' };
  const start = () => startStack({ DATA_DIR: dataDir, PORT: `${port}`, ...others }, sandbox);
  let stack: Stack | undefined = await start();
  const leads = (...args: string[]) =>
    run(process.execPath, ['src/cli/leads.ts', ...args], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir, PORT: `${port}` },
    });
  const published = async (name: string) =>
    (await fetch(`http://127.0.0.1:${port}/.well-known/evidence/${name}`)).text();
  /** Makes the lead's pack by the command. */
  const packOf = async (leadId: string, name: string) => {
    const file = join(folder, `${name}.zip`);
    await leads('evidence', leadId, '--for', 'ingest', '--out', file);
    return file;
  };
  const verify = async (file: string) => {
    const keys = join(folder, 'keys.json');
    writeFileSync(keys, await published('keys.json'));
    await verifyOffline(browser, `http://127.0.0.1:${port}`, folder, file, keys);
  };
  try {
    const [leadId, other] = [await sendLead(browser, port), await sendLead(browser, port)];
    await expectArrived(sandbox.url, leadId);
    const first = await packOf(leadId, 'first');
    const firstHead = join(folder, 'head.jws');
    writeFileSync(firstHead, readZip(bytesOf(first)).get('log/head.jws') ?? '');
    await verify(first);

    await stack.stop();
    stack = await start();
    await verify(await packOf(leadId, 'restarted'));

    await leads('evidence-keys', '--rotate');
    await verify(await packOf(leadId, 'rotated'));

    await leads('erase', other, '--yes');
    await expect(packOf(other, 'erased')).rejects.toThrow('its data was erased');

    const tar = join(folder, 'leads.tar');
    await run('sh', ['scripts/backup.sh', tar], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir },
    });
    for (const name of ['person-key-secret', 'evidence-key']) {
      cpSync(join(dataDir, name), join(safe, name), { preserveTimestamps: true });
    }

    await appendLeads(dataDir, leadId);
    const grown = await packOf(leadId, 'grown');
    await verify(grown);
    await verify(first);
    // The log is the one whose state was kept.
    const size = (file: string) =>
      JSON.parse(Buffer.from(readZip(bytesOf(file)).get('manifest.json') ?? []).toString()).log
        .treeSize as number;
    expect(size(grown) - size(first)).toBeGreaterThanOrEqual(2 * FURTHER_LEADS);
    const consistency = join(folder, 'consistency.json');
    writeFileSync(
      consistency,
      await published(`consistency?from=${size(first)}&to=${size(grown)}`),
    );
    const keys = join(folder, 'keys.json');
    const { stdout } = await run(process.execPath, [
      ...[join(root, 'dist/evidence/verify.mjs'), grown, '--keys', keys],
      ...['--head', firstHead, '--consistency', consistency],
    ]);
    expect(stdout).toContain('Nothing in it was rewritten.');

    await stack.stop();
    dataDir = join(folder, 'restored');
    await run('mkdir', [dataDir]);
    await run('tar', ['-xpf', tar, '-C', dataDir]);
    for (const name of ['person-key-secret', 'evidence-key']) {
      cpSync(join(safe, name), join(dataDir, name), { preserveTimestamps: true });
    }
    stack = await start();
    await verify(await packOf(leadId, 'restored'));
    for (const file of [first, grown]) await verify(file);
  } finally {
    await stack?.stop();
    await endProgram(sandbox.child, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
});

const bytesOf = (file: string) => Uint8Array.from(readFileSync(file));

/** Sends a lead as a visitor does. */
async function sendLead(browser: Browser, port: number): Promise<string> {
  const context = await browser.newContext({ baseURL: `http://127.0.0.1:${port}` });
  const page = await context.newPage();
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  const stored = page.waitForResponse(
    (response) => response.url().endsWith('/post-lead') && response.ok(),
  );
  await walkSurvey(page, v4, qualifyingPath());
  await stored;
  await context.close();
  return leadId();
}

async function expectArrived(sandboxUrl: string, leadId: string): Promise<void> {
  const count = async () => {
    const answer = await fetch(`${sandboxUrl}/_sandbox/effects?service=ingest&key=${leadId}`);
    return ((await answer.json()) as unknown[]).length;
  };
  await expect.poll(count).toBe(1);
}

/** Verifies by the site's page, by the page in the pack, and by the program in the pack: all without a network. */
async function verifyOffline(
  browser: Browser,
  site: string,
  folder: string,
  file: string,
  keys: string,
): Promise<void> {
  const files = readZip(bytesOf(file));
  for (const name of ['verify.html', 'verify.mjs']) {
    writeFileSync(join(folder, name), files.get(name) ?? '');
  }
  const { stdout } = await run(process.execPath, [
    join(folder, 'verify.mjs'),
    file,
    '--keys',
    keys,
  ]);
  expect(stdout).toContain(genuine);
  for (const address of [`${site}/verify/`, pathToFileURL(join(folder, 'verify.html')).href]) {
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    await page.goto(address, { waitUntil: 'networkidle' });
    await context.setOffline(true);
    await page.getByLabel('Evidence pack').setInputFiles(file);
    if (!address.startsWith('http')) {
      await page.getByText('Compare with files that you kept').click();
      await page.getByLabel('Keys of the issuer').setInputFiles(keys);
    }
    await expect(page.getByRole('heading', { name: genuine })).toBeVisible();
    await context.close();
  }
}

/** Copies the lead, and has the copies logged as posted leads are. */
async function appendLeads(dataDir: string, leadId: string): Promise<void> {
  const database = await findRunningEmbeddedPostgres(dataDir);
  const pool = await openFillingPool(dataDir, database?.connectionString ?? '');
  try {
    await fillLeads(pool, leadId, { from: 0, to: FURTHER_LEADS });
    await pool.query(
      `insert into evidence_pending (ref, number, is_delivery)
       select id, revision, false from leads where id <> $1`,
      [leadId],
    );
    while ((await appendPending(pool)) !== 0);
    // The next pack takes no head of before.
    await pool.query('delete from evidence_heads');
  } finally {
    await pool.end();
  }
}
