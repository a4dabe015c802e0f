/** The tests of src/server cover the rules of these commands. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandForTests } from '../../tests/support/command.ts';

const { leads, query, seed } = commandForTests();

test('leads import outcomes tries a buyer’s file, then stores it', async () => {
  await seed({ deliveries: [{ state: 'delivered', externalId: 'LP-9' }] });
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'outcomes-')), 'report.csv');
  await writeFile(file, 'external_id,outcome\nLP-9,contacted\nLP-8,contacted\nLP-9,sold\n');
  const outcomes = () => query('select reference, source from outcomes order by reference');
  const run = (...more: string[]) => leads('import', 'outcomes', file, ...more);
  expect(await run()).toMatchObject({ code: 2 });
  expect((await run('--buyer', 'nobody')).err).toContain('--buyer must be one of ingest');
  expect((await leads('import', 'outcomes', '/no/file', '--buyer', 'ingest')).err).toContain(
    'ENOENT',
  );
  const tried = await run('--buyer', 'ingest', '--dry-run');
  expect(tried.out).toContain('2 outcomes would be stored, 1 of them about unknown leads');
  expect([tried.code, tried.err]).toEqual([1, expect.stringContaining('Line 4: "outcome"')]);
  expect(await outcomes()).toEqual([]);
  expect((await run('--buyer', 'ingest')).out).toContain('2 outcomes stored, 1 of them');
  expect(await outcomes()).toEqual([
    { reference: 'LP-8', source: 'import' },
    { reference: 'LP-9', source: 'import' },
  ]);
});

test('leads import costs tries a file, then adds the costs', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'costs-')), 'costs.csv');
  await writeFile(file, 'day,source,cost\n2026-01-02,google,"$1,250.50"\n');
  const run = (...more: string[]) => leads('import', 'costs', file, ...more);
  const sums = () =>
    query(`select sum(amount)::text as sum from money_entries where kind = 'cost'`);
  const tried = await run('--dry-run');
  expect(tried.out).toContain('Line 2: 2026-01-02 source=google  $1250.50, no visit');
  expect(tried.out).toContain('The costs would change by $1250.50.');
  expect(await sums()).toEqual([{ sum: null }]);
  expect((await run()).out).toContain('The costs changed by $1250.50.');
  expect((await run()).out).toContain('The costs changed by $0.00.');
  expect(await sums()).toEqual([{ sum: '-1250.5000' }]);
  await writeFile(file, 'day,source,cost\n2026-01-02,google,2\n2026-01-02,,2\n');
  expect(await run()).toMatchObject({
    code: 1,
    err: expect.stringContaining('Line 3: The source is missing'),
  });
});
