/**
 * Tests that forms of the same visit are handled one after another, even by different processes.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { FormVisit } from '../../src/model/visit/form-visit.ts';
import { createFormVisitStore } from '../../src/server/leads/form-visits.ts';
import { createFormTurns } from '../../src/server/leads/repeated-forms.ts';
import { databaseForTests } from '../support/own-database.ts';

const { pool, connectionString } = await databaseForTests();
/** The connection pool of a second process. */
const other = new pg.Pool({ connectionString, max: 2 });
afterAll(() => other.end());

test('a posted form waits until another process has handled a form of the same visit', async () => {
  const [begun, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const order: string[] = [];
  const inFirst = createFormTurns(pool);
  const inSecond = createFormTurns(other, async () => waited.resolve());
  const first = inFirst('a visit', async () => {
    begun.resolve();
    await waited.promise;
    order.push('first');
    throw new Error('its own');
  });
  const failed = expect(first).rejects.toThrow('its own');
  await begun.promise;
  await inSecond('a visit', async () => void order.push('second'));
  await failed;
  expect(order).toEqual(['first', 'second']);
  const { rows } = await pool.query('select * from form_locks');
  expect(rows).toEqual([]);
});

test('a posted form does not wait for a form of another visit', async () => {
  const inTurn = createFormTurns(pool);
  const inOther = createFormTurns(other, async () => {
    throw new Error('it waited');
  });
  await inTurn('one visit', () => inOther('another visit', async () => undefined));
  await pool.query(
    `insert into form_locks (key, holder, until)
     values ('lost', gen_random_uuid(), now() - interval '1 second'),
       ('older', gen_random_uuid(), now() - interval '2 minutes')`,
  );
  expect(await inOther('lost', async () => 'taken')).toBe('taken');
  const { rows } = await pool.query('select key from form_locks');
  expect(rows).toEqual([]);
});

test('the lease of a visit is renewed while a form of the visit is processed', async () => {
  const inTurn = createFormTurns(pool, undefined, 300);
  const isRenewed = async (since: Date) =>
    (await pool.query('select from form_locks where until > $1', [since])).rowCount === 1;
  await inTurn('a long form', async () => {
    const { rows } = await pool.query<{ until: Date }>('select until from form_locks');
    // The lease would expire before this time if the server did not renew the lease.
    const later = new Date((rows[0]?.until.getTime() ?? 0) + 600);
    await expect.poll(() => isRenewed(later)).toBe(true);
  });
});

test('an earlier form that is saved late does not replace the state of a later form', async () => {
  const store = createFormVisitStore(pool, () => 'key');
  const owner = { leadId: randomUUID(), secretSha256: 'secret' };
  const formAt = (seq: number) =>
    ({ visit: { session: { survey: '/survey-sl' } }, state: {}, seq }) as unknown as FormVisit;
  for (const seq of [2, 6, 4]) await store.save(owner, formAt(seq));
  expect((await store.load(owner, 60_000))?.form?.seq).toBe(6);
});
