/** The tests of src/server cover the rules of these commands. */
import { expect, test } from 'vitest';
import { commandForTests } from '../../tests/support/command.ts';
import { ana } from '../../tests/support/ledger.ts';

const command = commandForTests();
const { leads, query, seed } = command;

const sold = { state: 'delivered', revision: 1, externalId: 'LP-9' };

async function held(reason: string): Promise<string> {
  const id = await seed({ state: 'held', deliveries: [{ state: 'held' }] });
  const problems = JSON.stringify([{ problem: 'held', reason }]);
  await query('update lead_revisions set problems = $1 where lead_id = $2', [problems, id]);
  return id;
}

test('leads release and leads dismiss end the hold of a lead', async () => {
  const id = await held('no_usable_phone');
  expect((await leads('release', id)).err).toContain('confirm with --yes');
  expect(await leads('release', id, '--yes')).toMatchObject({ code: 0 });
  expect((await leads('release', id)).err).toContain('not held');
  const other = await held('no_consent');
  expect((await leads('dismiss', other, '--reason', 'no_consent_text')).code).toBe(0);
  expect(await query('select state from leads order by state')).toEqual([
    { state: 'accepted' },
    { state: 'dismissed' },
  ]);
});

test('leads suppress adds a person to the suppression list', async () => {
  const id = await seed({ deliveries: [sold] });
  await seed({ deliveries: [{ state: 'waiting' }] });
  const { out } = await leads('suppress', ` ${ana.email.toUpperCase()}`);
  expect(out).toContain('The person is now on the suppression list: 2 leads, 1 delivery stopped.');
  expect(out).toContain(`ingest got lead ${id} on `);
  expect(out).toContain(' as LP-9');
  expect(out.toLowerCase()).not.toContain('mail.example');
  expect((await leads('suppress', ana.email, '--undo')).out).toContain(
    'off the list. 1 delivery that it had stopped resumed.',
  );
});

test('leads suppress notes how a person revoked consent', async () => {
  await seed({ deliveries: [sold] });
  expect((await leads('suppress', ana.email, '--source', 'post')).code).toBe(2);
  await leads('suppress', ana.email, '--source', 'letter');
  expect(await query('select source from suppressions')).toEqual([{ source: 'letter' }]);
});

test('leads erase erases a person only with --yes', async () => {
  const id = await seed({ deliveries: [sold] });
  const asked = await leads('erase', ana.phone);
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('--yes')]);
  const { out } = await leads('erase', ana.phone, '--yes');
  expect(out).toContain(`Erased: 1 lead, 0 visits without a lead.\n  lead ${id}\n`);
  expect(out).toContain(`personal data, and have to be told:\n  ingest got lead ${id} on `);
  expect(await leads('erase', id, '--yes')).toMatchObject({
    code: 0,
    out: 'The person was erased already.\n',
  });
  expect((await leads('resend', id, '--force')).code).toBe(1);
  expect((await leads('erase', 'nobody@mail.example', '--yes')).code).toBe(3);
});
