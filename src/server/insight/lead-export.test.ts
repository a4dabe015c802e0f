import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { randomSummary, seedSummaries } from '../../../tests/support/lead-summaries.ts';
import { clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import { seededRandom } from '../../../tests/support/seeded-random.ts';
import { leadFieldNames } from '../../model/fields/lead-fields.ts';
import { exportColumns, exportText } from './lead-export.ts';
import type { LeadListContext } from './lead-filter.ts';

const database = await databaseForTests(async (pool) => {
  await clearLedger(pool);
  await pool.query('truncate visit_summaries');
});
const list: LeadListContext = {
  pool: database.pool,
  personKey,
  timeZone: 'UTC',
  destinationNames: ['ingest'],
  saleRules,
};

/** Texts that could harm a spreadsheet, a terminal or a response header. */
const attacks = [
  '=HYPERLINK("http://x.example","y")',
  '+cmd|calc',
  '@SUM(A1)',
  'it hurt;=1+1',
  'line\r\n=1+1',
  '\t=1',
  '\u001b]0;owned\u0007\u001b[2J',
  'x\u009b31m\u202eevil',
  'a\r\nSet-Cookie: s=1',
  '","=1+1',
];

async function seedAttacks(): Promise<void> {
  const row = { ...randomSummary(seededRandom('attacks')), is_test: false };
  for (const shift of [0, 5]) {
    const fields = Object.fromEntries(
      leadFieldNames.map((name, at) => [name, attacks[(at + shift) % attacks.length] ?? '']),
    );
    const lead_id = await seedLead(database.pool, { revisions: [fields] });
    await seedSummaries(database.pool, [{ ...row, lead_id, received_at: row.began_at }]);
  }
}

test('no exported field is run as a formula by a spreadsheet', async () => {
  await seedAttacks();
  let text = '';
  for await (const part of exportText(list, {}, 'csv')) text += part;
  expect(text.replaceAll('\r\n', '')).not.toMatch(/(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/u);
  const records: string[][] = parse(text);
  expect(records).toHaveLength(3);
  expect(records[0]).toEqual(exportColumns);
  for (const cell of records.flat()) {
    // Some spreadsheets start a new cell at these characters, even inside quotes.
    for (const part of cell.split(/[;|\t\r\n]/)) expect(part).not.toMatch(/^[\s"]*[=+@]/);
  }
});

test('an export contains the unknown fields of a lead', async () => {
  const lead_id = await seedLead(database.pool, {
    revisions: [{ first_name: 'Ana', zzz_new: 'x' }],
    deliveries: [{ state: 'dead', finishedAt: '2026-07-01T12:05:10Z' }],
  });
  const row = randomSummary(seededRandom('whole'));
  await seedSummaries(database.pool, [
    { ...row, lead_id, is_test: true, received_at: row.began_at },
  ]);
  const whole = async (format: 'csv' | 'json') => {
    let text = '';
    for await (const part of exportText(list, { tests: 'with' }, format)) text += part;
    return text;
  };
  const [head, record] = parse(await whole('csv')) as string[][];
  expect([head?.[0], head?.at(-1)]).toEqual(['lead_id', 'other_fields']);
  expect([record?.[0], record?.at(-1)]).toEqual([lead_id, '{"zzz_new":"x"}']);
  expect(JSON.parse(await whole('json'))).toMatchObject([
    {
      lead_id,
      fields: { first_name: 'Ana', zzz_new: 'x' },
      deliveries: [
        { destination: 'ingest', state: 'dead', finished_at: '2026-07-01T12:05:10.000Z' },
      ],
    },
  ]);
  await database.pool.query('truncate visit_summaries');
  expect(await whole('json')).toBe('[]\n');
});
