import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ana, clearLedger, seedLoggedLead, seedStep } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { verifyPack } from '../../model/evidence/verify-pack.ts';
import { readZip } from '../../model/evidence/zip.ts';
import { shownSponsors } from '../../web/site/sponsor-list.ts';
import { pageLocals } from '../http/site.ts';
import { parseSettings } from '../settings/settings.ts';
import { readRulesVersion, recordRulesVersion } from '../wiring/rules-version.ts';
import { readKeys } from './keys.ts';
import { makePack } from './pack.ts';

const { pool } = await databaseForTests(clearLedger);
const dataDir = await mkdtemp(path.join(tmpdir(), 'files-'));
afterAll(() => rm(dataDir, { recursive: true }));
const settingsOf = (more: Record<string, string> = {}) =>
  parseSettings({ DATA_DIR: dataDir, PUBLIC_URL: 'https://claims.example.com', ...more });

/** Makes and verifies a pack. Returns a function that reads a file of the pack. */
async function pack(id: string, recipient?: string, settings = settingsOf()) {
  const { bytes } = await makePack({ pool, settings }, id, recipient);
  const trusted = { keys: await readKeys(pool), from: 'the site' };
  expect(await verifyPack(bytes, { trusted, now: new Date() })).toMatchObject({
    verdict: 'proven',
  });
  const files = readZip(bytes);
  return { file: (name: string) => JSON.parse(Buffer.from(files.get(name) ?? []).toString()) };
}

let id = '';
beforeEach(async () => {
  id = await seedLoggedLead(pool);
});

test('partners.json lists the firms that were configured at the time of the consent', async () => {
  const rules = await readRulesVersion({ ruled: true }, shownSponsors(pageLocals(settingsOf())));
  await recordRulesVersion(pool, rules);
  await recordRulesVersion(pool, await readRulesVersion({ ruled: true }, []));
  await pool.query('update lead_revisions set rules_version = $1', [rules.version]);
  const { file } = await pack(id);
  expect(file('partners.json')).toMatchObject({
    revision: 1,
    firms: expect.arrayContaining([expect.objectContaining({ name: 'Partner Law Firm 1' })]),
  });
  await pool.query("update rule_versions set firms = '[]' where version = $1", [rules.version]);
  expect((await pack(id)).file('partners.json')).toEqual({
    firms: null,
    why: 'The kept list is not the one of that day.',
  });
});

/** Stores a lead with two revisions. The recipient got only the first revision. */
async function correctedLead(): Promise<string> {
  const corrected = { ...ana, phone: '5125550177' };
  const revisions = [ana, corrected];
  const own = await seedLoggedLead(pool, { createdAt: '2026-11-20T15:00:00.000Z', revisions });
  const change = (text: string) => pool.query(text, [own]);
  await change("update progress set received_at = '2026-11-20T15:00:00Z' where lead_id = $1");
  await change(
    `update progress set seq = 0, answers = '{"email":"typo@mail.example","phone":"5125550123","city":"Austin"}'
     where lead_id = $1`,
  );
  await seedStep(pool, own, { phone: '5125550177' });
  await change(
    `update lead_checks set revision = 1, said = '{"email":"typo@mail.example","valid":true}' where lead_id = $1`,
  );
  await change(
    `insert into lead_checks (id, lead_id, revision, service, asked_sha256, at, duration_ms, outcome)
     values (gen_random_uuid(), $1, 2, 'phone', '', now(), 1, 'answered')`,
  );
  await change(
    `insert into phone_codes (id, lead_id, kind, number_key, at, outcome)
     values (gen_random_uuid(), $1, 'send', 'k', '2026-11-20T14:59:00Z', 'sent'),
       (gen_random_uuid(), $1, 'check', 'k', now(), 'verified')`,
  );
  await change(
    `update clicks set params = '{"s1":"abc","email":"typo@mail.example"}' where lead_id = $1`,
  );
  await change(
    `update lead_revisions set
       decisions = '[{"rule":"limit","inputs":{"years":2},"result":true}]',
       overrides = '[{"field":"phone","answered":"5125550199","becomes":"5125550123","rule":"r"}]',
       differences = '[{"field":"email","browser":"typo@mail.example","server":"x"}]', problems = '[]'
     where lead_id = $1`,
  );
  return own;
}

test('a pack for one recipient contains only the contact details that the recipient got', async () => {
  const { file } = await pack(await correctedLead(), 'ingest');
  expect(file('steps.json').steps).toMatchObject([
    { step: 'Contact', kind: 'answered', answers: { phone: ana.phone, city: 'Austin' } },
  ]);
  expect(file('checks.json')).toEqual({
    checks: [expect.objectContaining({ service: 'phone', revision: 1, said: { valid: true } })],
    smsVerification: [{ kind: 'send', at: '2026-11-20T14:59:00.000Z', outcome: 'sent' }],
  });
  expect(file('decisions.json')).toMatchObject({
    overrides: [{ field: 'phone', becomes: ana.phone, rule: 'r' }],
    differences: [{ field: 'email' }],
    problems: [],
  });
  const read = ['steps', 'checks', 'decisions', 'visit', 'lead', 'sent'].map((name) =>
    JSON.stringify(file(`${name}.json`)),
  );
  for (const hidden of ['typo@', '5125550177', '5125550199']) {
    expect(read.filter((text) => text.includes(hidden))).toEqual([]);
  }
});
