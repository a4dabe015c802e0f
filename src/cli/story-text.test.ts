import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedLead } from '../../tests/support/ledger.ts';
import { type TestDatabase, withDatabase } from '../../tests/support/postgres.ts';
import { findLead } from '../server/operators/selection.ts';
import { readStory } from '../server/operators/story.ts';
import { storyText } from './story-text.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await withDatabase();
}, 60_000);
afterAll(() => database.drop());

test('a delivery to a paused destination shows since when it waits, and no next attempt', async () => {
  const { pool, db } = database;
  const id = await seedLead(pool, {
    deliveries: [{ state: 'waiting', destination: 'ingest' }],
  });
  await pool.query(`update deliveries set due_at = '2026-07-01T12:00:01Z'`);
  const text = async () => {
    const lead = await findLead(pool, id);
    return stripVTControlCharacters(
      storyText(await readStory(db, lead), [], 'America/New_York', 200),
    );
  };
  expect(await text()).toContain('ingest: waiting, attempts: 0, next attempt 2026-07-01 08:00:01');
  await db
    .insertInto('destination_health')
    .values({
      destination: 'ingest',
      paused_at: '2026-07-01T12:00:00Z',
      paused_by: 'answer',
      pause_reason: 'a cap is reached.',
    })
    .execute();
  expect(await text()).not.toContain('next attempt');
  expect(await text()).toContain(
    'Waits since 2026-07-01 08:00:00 EDT: ingest is paused: a cap is reached.',
  );
});
