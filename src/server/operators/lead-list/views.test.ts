import { expect, test } from 'vitest';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type { NewView } from '../../../contract/console/leads.ts';
import { checkView, deletableView, deleteView, listViews, saveView } from './views.ts';

const { pool } = await databaseForTests((all) => all.query('truncate saved_views'));

const ana = 'ana@company.example';
const bob = 'bob@company.example';
const view = (name: string, isShared = false) => ({
  ...{ name, isShared, filter: { lead: 'held' }, columns: ['received', 'name'] },
});
const save = async (owner: string, given: NewView) =>
  saveView(pool, await checkView(pool, owner, given));
const names = async (owner: string) => (await listViews(pool, owner)).map(({ name }) => name);

test('operators see their own views and those that others share', async () => {
  await save(ana, view('mine'));
  await save(ana, view(' for all ', true));
  await save(bob, view('his'));
  expect(await names(ana)).toEqual(['for all', 'mine']);
  expect(await names(bob)).toEqual(['for all', 'his']);
  expect((await listViews(pool, bob))[0]).toMatchObject({
    ...{ filter: { lead: 'held' }, columns: ['received', 'name'], isShared: true, owner: ana },
  });
});

test('a view of the same name is replaced', async () => {
  const first = await save(ana, view('a'));
  const second = await save(ana, { ...view('a', true), filter: { source: 'google' } });
  expect(second).toMatchObject({ id: first.id, filter: { source: 'google' }, isShared: true });
  expect(await names(ana)).toEqual(['a']);
});

test('a view has a name and a valid filter, and names no person', async () => {
  await expect(save(ana, view('  '))).rejects.toThrow(/name/);
  const wrong = { ...view('a'), filter: { lead: 'gone' } };
  await expect(save(ana, wrong)).rejects.toThrow(/accepted, held, erased/);
  const ofPerson = { ...view('a'), filter: { q: 'ana@mail.example' } };
  await expect(save(ana, ofPerson)).rejects.toThrow(/person/);
  expect(await names(ana)).toEqual([]);
});

test('an operator has at most 50 views, which can still be replaced', async () => {
  for (let n = 0; n < 50; n += 1) await save(ana, view(`view ${n}`));
  await expect(save(ana, view('one more'))).rejects.toThrow(/50 views/);
  await save(ana, view('view 7', true));
  await save(bob, view('his'));
});

test('views are deleted by their owner, shared ones also by an admin', async () => {
  const own = await save(ana, view('own'));
  const shared = await save(ana, view('shared', true));
  const operator = { email: bob, isAdmin: false };
  await expect(deletableView(pool, shared.id, operator)).rejects.toThrow('not yours');
  await deleteView(pool, shared.id, operator);
  expect(await names(ana)).toEqual(['own', 'shared']);
  const admin = { email: bob, isAdmin: true };
  await expect(deletableView(pool, own.id, admin)).rejects.toMatchObject({ kind: 'not_found' });
  await deleteView(pool, shared.id, admin);
  await deleteView(pool, own.id, { email: ana, isAdmin: false });
  expect(await names(ana)).toEqual([]);
});
