import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { commandForTests } from '../../tests/support/command.ts';
import { ana, clearLedger } from '../../tests/support/ledger.ts';
import { releaseAll } from '../server/operators/release.ts';
import { planResend, resendAll } from '../server/operators/resend.ts';
import { leadPortions } from '../server/operators/selection.ts';
import { connected } from './connect.ts';
import { showProgress } from './long-work.ts';

const command = commandForTests();
const { leads, query, seed } = command;

/** Sends a signal to the next command only, as soon as it watches for it. */
function interruptNext(): void {
  const onListener = (name: string, listener: (signal: string) => void) => {
    if (name !== 'SIGINT') return;
    process.off('newListener', onListener);
    // npm passes on what the terminal has sent already.
    for (let sent = 0; sent < 2; sent += 1) queueMicrotask(() => listener('SIGINT'));
  };
  process.on('newListener', onListener);
}

test('an interrupted export ends with a whole row and says that it is incomplete', async () => {
  await seed({});
  const dir = await mkdtemp(path.join(tmpdir(), 'funnel-export-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'leads.csv');
  interruptNext();
  const { code, err } = await leads('export', '--format', 'csv', '--output', file);
  expect(code).toBe(130);
  expect(err).toBe(
    `Interrupted: ${file}.incomplete is incomplete. 0 whole rows were written. The same with --continue gets the others.\n`,
  );
  expect(await readdir(dir)).toEqual(['leads.csv.incomplete']);
  expect(await readFile(`${file}.incomplete`, 'utf8')).toMatch(/^lead_id,[^\n]+,other_fields\r\n$/);
  const goOn = () => leads('export', '--format', 'csv', '--output', file, '--continue');
  expect(await goOn()).toEqual({ code: 0, out: '', err: '' });
  expect(await readdir(dir)).toEqual(['leads.csv']);
  expect((await readFile(file, 'utf8')).split('\r\n')).toHaveLength(3);
  expect(await goOn()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^There is no .+anew/),
  });
});

test('an export continues behind its last whole row, wherever it was cut', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'funnel-export-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'leads');
  // A visitor's text that looks like the end of a row, and the next one.
  const case_description = `"x",\r\n${randomUUID()},2026,"\r\n`;
  for (let lead = 0; lead < 3; lead += 1) await seed({ revisions: [{ ...ana, case_description }] });
  const cuts = { csv: /,\r\n|[\da-f]{12},|\r\n(?=[\da-f]{8}-)|$/g, json: /,\n|lead_id|\}|$/g };
  for (const format of ['csv', 'json'] as const) {
    const argv = ['export', '--format', format, '--output', file] as const;
    await leads(...argv);
    const whole = await readFile(file, 'utf8');
    const places = [...whole.matchAll(cuts[format])].flatMap(({ index, 0: { length } }) => [
      ...[index, index + length],
    ]);
    const inRows = new Set(places.filter((at) => at > whole.indexOf('\n')));
    expect(inRows.size).toBeGreaterThan(12);
    for (const at of inRows) {
      await rename(file, `${file}.incomplete`);
      await truncate(`${file}.incomplete`, at);
      expect(await leads(...argv, '--continue')).toEqual({ code: 0, out: '', err: '' });
      expect(await readFile(file, 'utf8')).toBe(whole);
    }
  }
  await rename(file, `${file}.incomplete`);
  const goOn = (format: string) =>
    leads('export', '--format', format, '--output', file, '--continue');
  expect((await goOn('csv')).err).toMatch(/is no csv export of this version: leave out --continue/);
  await clearLedger(command.pool);
  expect(await goOn('json')).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/ends with lead .+ does not have: leave out/) },
  });
  const { code, err } = await leads('export', '--format', 'csv', '--continue');
  expect([code, err]).toEqual([2, '--continue needs --output.\n']);
});

test('portions follow each other exactly, to the microsecond, until the signal', async () => {
  const created = ['00.000001', '00.000002', '00.000002', '00.0009', '01'];
  for (const second of created) await seed({ createdAt: `2026-07-01T12:00:${second}Z` });
  const { rows } = await command.pool.query('select id from leads order by created_at, id');
  const stopping = new AbortController();
  const found: string[] = [];
  await connected(async ({ db }) => {
    for await (const portion of leadPortions(db, {}, { portion: 1 })) {
      found.push(...portion.map(({ id }) => id));
    }
    expect(found).toEqual(rows.map(({ id }) => id));
    const stopped = leadPortions(db, {}, { portion: 1, signal: stopping.signal });
    expect((await stopped.next()).done).toBe(false);
    stopping.abort(new Error('enough'));
    await expect(stopped.next()).rejects.toThrow('enough');
  });
});

test('an interrupted release keeps what is released, and the next one goes on', async () => {
  const held = { state: 'held', deliveries: [{ state: 'held' }] } as const;
  for (let lead = 0; lead < 2; lead += 1) await seed(held);
  await query(
    `update lead_revisions set problems = '[{"problem":"held","reason":"over_address_limit"}]'`,
  );
  const release = () => leads('release', '--yes', '--hold', 'over_address_limit');
  interruptNext();
  expect(await release()).toEqual({
    ...{ code: 130, out: '' },
    err: 'Interrupted. What is done stays: run the same again for the rest.\n',
  });
  expect((await release()).out).toMatch(/^Released 2 leads/);
});

test.each([
  ['suppress', '--undo', '--since', '1h', '--yes'],
  ['requests', '--dismiss', '--yes'],
])('%s is interrupted between portions', async (...argv) => {
  interruptNext();
  expect(await leads(...argv)).toEqual({
    ...{ code: 130, out: '' },
    err: 'Interrupted. What is done stays: run the same again for the rest.\n',
  });
});

test('bulk work reads its rows in portions: each once, after a passing error too', async () => {
  const createdAt = '2026-07-01T12:00:00.000001Z';
  const dead = { state: 'dead', revision: 1 };
  const two = [dead, { ...dead, destination: 'other' }];
  const taken = await seed({ createdAt, deliveries: [{ state: 'delivered', revision: 1 }] });
  await query(`update deliveries set state = 'dead'`);
  for (const deliveries of [two, two, [dead]]) await seed({ createdAt, deliveries });
  for (let lead = 0; lead < 3; lead += 1) {
    await seed({ createdAt, state: 'held', deliveries: [{ state: 'held' }] });
  }
  await query(
    `update lead_revisions set problems = '[{"problem":"held","reason":"over_address_limit"}]'`,
  );
  await connected(async ({ db, pool }) => {
    const portions: number[] = [];
    let failures = 0;
    const failing = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        failures += 1;
        if (failures % 2 === 1) throw Object.assign(new Error('passing'), { code: '40001' });
        return result;
      },
    });
    const work = {
      db: failing,
      pool,
      portion: 2,
      onPortion: (rows: number) => portions.push(rows),
    };
    const since = new Date('2026-07-01');
    const resent = await resendAll(work, { state: 'dead', selection: { since } }, 'x');
    expect(resent).toEqual({ resent: 5, passedOver: 1 });
    expect(portions.splice(0)).toEqual([2, 2, 2]);
    const selection = { selection: { since }, actor: 'x' };
    const released = await releaseAll(work, 'over_address_limit', selection);
    expect(released).toEqual({ released: 3, deliveries: 3, passedOver: 0 });
    expect(portions).toEqual([2, 1]);
    await planResend(failing, { state: 'dead', selection: {} });
  });
  expect(await query(`select lead_id from deliveries where state = 'dead'`)).toEqual([
    { lead_id: taken },
  ]);
});

test('statements of operators may take long, but never wait long for a lock', async () => {
  await connected(async ({ pool }) => {
    const { rows } = await pool.query(
      `select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout') order by name`,
    );
    expect(rows).toEqual([
      { name: 'lock_timeout', setting: '10000' },
      { name: 'statement_timeout', setting: '0' },
    ]);
  });
});

test('progress has rows, rate and remaining time, and redraws one line on a terminal only', () => {
  for (const isTTY of [true, false]) {
    let [nowMs, text] = [0, ''];
    const shown = { isTTY, write: (more: string) => (text += more) };
    const progress = showProgress('leads', shown, () => nowMs);
    progress.add(0, 1_000_000);
    nowMs = 500;
    progress.add(100);
    expect(text).toBe('');
    nowMs = 30_000;
    progress.add(299_900);
    const line = '300,000 leads, 10,000 a second, about 700,000 remain (1:10)';
    expect(text).toBe(isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    progress.end();
    expect(text.endsWith(isTTY ? '\r\u001b[K' : '\n')).toBe(true);
    expect(progress.rows).toBe(300_000);
  }
});
