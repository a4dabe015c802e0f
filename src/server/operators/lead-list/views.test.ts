import { expect, test } from 'vitest';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { deleteView, listViews, saveView } from './views.ts';

const { pool } = await databaseForTests((all) => all.query('truncate saved_views'));

const ana = 'ana@company.example';
const bob = 'bob@company.example';
const view = (name: string, isShared = false) => ({
  ...{ name, isShared, filter: { lead: 'held' }, columns: ['received', 'name'] },
});
const names = async (owner: string) => (await listViews(pool, owner)).map(({ name }) => name);

test('operators see their own views and those that others share', async () => {
  await saveView(pool, ana, view('mine'));
  await saveView(pool, ana, view(' for all ', true));
  await saveView(pool, bob, view('his'));
  expect(await names(ana)).toEqual(['for all', 'mine']);
  expect(await names(bob)).toEqual(['for all', 'his']);
  expect((await listViews(pool, bob))[0]).toMatchObject({
    ...{ filter: { lead: 'held' }, columns: ['received', 'name'], isShared: true, owner: ana },
  });
});

test('a view of the same name is replaced', async () => {
  const first = await saveView(pool, ana, view('a'));
  const second = await saveView(pool, ana, { ...view('a', true), filter: { source: 'google' } });
  expect(second).toMatchObject({ id: first.id, filter: { source: 'google' }, isShared: true });
  expect(await names(ana)).toEqual(['a']);
});

test('a view has a name and a valid filter, and names no person', async () => {
  await expect(saveView(pool, ana, view('  '))).rejects.toThrow(/name/);
  const wrong = { ...view('a'), filter: { lead: 'gone' } };
  await expect(saveView(pool, ana, wrong)).rejects.toThrow(/accepted, held, erased/);
  const ofPerson = { ...view('a'), filter: { q: 'ana@mail.example' } };
  await expect(saveView(pool, ana, ofPerson)).rejects.toThrow(/person/);
  expect(await names(ana)).toEqual([]);
});

test('an operator has at most 50 views, which can still be replaced', async () => {
  for (let n = 0; n < 50; n += 1) await saveView(pool, ana, view(`view ${n}`));
  await expect(saveView(pool, ana, view('one more'))).rejects.toThrow(/50 views/);
  await saveView(pool, ana, view('view 7', true));
  await saveView(pool, bob, view('his'));
});

test('views are deleted by their owner, shared ones also by an admin', async () => {
  const own = await saveView(pool, ana, view('own'));
  const shared = await saveView(pool, ana, view('shared', true));
  const operator = { email: bob, isAdmin: false };
  await expect(deleteView(pool, shared.id, operator)).rejects.toMatchObject({ kind: 'not_found' });
  const admin = { email: bob, isAdmin: true };
  await expect(deleteView(pool, own.id, admin)).rejects.toMatchObject({ kind: 'not_found' });
  await deleteView(pool, shared.id, admin);
  await deleteView(pool, own.id, { email: ana, isAdmin: false });
  expect(await names(ana)).toEqual([]);
});
