/** Tests the rules by state with a real database and the sandbox as every destination. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { verifyPack } from '../../src/model/evidence/verify-pack.ts';
import { readZip } from '../../src/model/evidence/zip.ts';
import { addDays, calendarDate, formatIso } from '../../src/model/fields/dates.ts';
import { release, resend } from '../../src/server/delivery/index.ts';
import { makePack } from '../../src/server/evidence/pack.ts';
import { leadListOf, makePlan } from '../../src/server/insight/index.ts';
import { readLead } from '../../src/server/insight/lead-page.ts';
import { personKey } from '../support/person-keys.ts';
import { freshLead, serverForTests } from '../support/server.ts';
import { stateZips } from '../support/state-zips.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const sandbox = await startSandbox();
afterAll(() => sandbox.close());
const today = calendarDate(new Date(), 'America/New_York');
const reason = 'Counsel said so';
const environment = (settings: NodeJS.ProcessEnv) => ({
  ...sandboxEnvironment(sandbox.url),
  EVIDENCE_KEY: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  DELIVERY_CONCURRENCY: '4',
  VERIFICATION_URL: undefined,
  ...settings,
});
const fromToday = { NY: [{ decision: 'prohibited', from: formatIso(today), reason }] };
const site = serverForTests(() => environment({ STATE_RULES: JSON.stringify(fromToday) }));
const { leadOf } = site;

let persons = 0;
/** Posts a lead of a new person, because the ingest service refuses duplicates. */
async function postFrom(zip_code: string | undefined, { post } = site): Promise<string> {
  persons += 1;
  const person = { phone: `2125550${persons + 100}`, email: `ana${persons}@mail.example` };
  const body = freshLead({ zip_code, ...person });
  expect((await post('/post-lead', body)).status).toBe(200);
  return String(body.lead_id);
}

const fileIn = (pack: Parameters<typeof readZip>[0], name: string) =>
  JSON.parse(Buffer.from(readZip(pack).get(name) ?? []).toString());

const soldOf = async (leadId: string, of = leadOf) =>
  (await of(leadId)).deliveries
    .filter(({ destination }) => destination === 'ingest')
    .map(({ state }) => state);

describe.each([
  ['by default', {}, ['CO']],
  ['if undecided leads are held', { STATE_RULES_UNDECIDED: 'hold' }, ['CA', 'CO']],
  [
    'with the operator’s decisions',
    {
      STATE_RULES: JSON.stringify({
        CO: [{ decision: 'allowed', reason }],
        TX: [{ decision: 'prohibited', reason }],
      }),
    },
    ['TX'],
  ],
])('%s', (_, settings, closed) => {
  const own = serverForTests(() => environment(settings));

  test('leads of all states are stored, and those whose rule refuses the sale are held', async () => {
    sandbox.reset();
    const leads = new Map<string, string>();
    for (const [state, zip] of Object.entries(stateZips)) {
      leads.set(state, await postFrom(zip, own));
    }
    for (const [state, leadId] of leads) {
      const [delivery, is] = closed.includes(state) ? ['held', 'held'] : ['delivered', 'accepted'];
      await expect.poll(() => soldOf(leadId, own.leadOf), { message: state }).toEqual([delivery]);
      expect((await own.leadOf(leadId)).lead?.state).toBe(is);
    }
    const received = sandbox.effects('ingest').map(({ key }) => key);
    const open = [...leads].flatMap(([state, id]) => (closed.includes(state) ? [] : [id]));
    expect(received.toSorted()).toEqual(open.toSorted());
  });
});

test('leads before and from the first day of a rule are decided differently, which their packs prove', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const before = await postFrom('10001');
  vi.useRealTimers();
  const after = await postFrom('10001');
  await expect.poll(() => soldOf(before)).toEqual(['delivered']);
  expect(await soldOf(after)).toEqual(['held']);

  const { pool } = site.database;
  const keysAt = `${site.server.url}/.well-known/evidence/keys.json`;
  const keys = JSON.parse(await (await fetch(keysAt)).text());
  const decisionOf = async (leadId: string) => {
    const { bytes } = await makePack({ pool, settings: site.settings }, leadId);
    const trusted = { keys, from: 'the site' };
    expect(await verifyPack(bytes, { trusted, now: new Date() })).toMatchObject({
      verdict: 'proven',
    });
    const { decisions } = fileIn(bytes, 'decisions.json');
    return decisions.find(({ rule }: { rule: string }) => rule === 'state_rule');
  };
  expect(await decisionOf(before)).toMatchObject({
    result: 'allowed',
    inputs: { states: 'NY', decided_on: formatIso(addDays(today, -1)), may_be_sold: 'yes' },
  });
  expect(await decisionOf(after)).toMatchObject({
    result: 'prohibited',
    inputs: { decided_on: formatIso(today), operator_reason: reason, may_be_sold: 'no' },
  });
});

test('a held lead can be released or resent only once the rule allows the sale', async () => {
  const { pool } = site.database;
  const leadId = await postFrom(stateZips.CO);
  const names = /CO\.sale_of_leads.*C\.R\.S\. 6-1-741.*STATE_RULES/;
  const actor = { actor: 'tester' };
  await expect(release(pool, leadId, actor, site.settings)).rejects.toThrow(names);
  const forced = { ...actor, destination: 'ingest', force: true };
  await expect(resend(pool, leadId, forced, site.settings)).rejects.toThrow(names);

  const plan = (settings: typeof site.settings) =>
    makePlan(
      leadListOf(pool, settings, personKey),
      { action: 'release', reason: 'decided', leadIds: [leadId] },
      'tester@mail.example',
    );
  const refused = await plan(site.settings);
  expect(refused.counts).toMatchObject({ due: 0, passedOver: 1 });
  expect(refused.refusals[0]?.text).toMatch(names);

  const read = () =>
    readLead({ pool, settings: site.settings }, leadId, { role: 'operator', isOpened: false });
  const page = await read();
  const sentence =
    'Decision for CO: named firm only. Rule CO.sale_of_leads, in force ' +
    'since 2026-08-12, source C.R.S. 6-1-741 (SB 26-174), checked on 2026-11-28.';
  expect(page.outcome).toContain(sentence);
  expect(page.story.find(({ kind }) => kind === 'decision')?.text).toContain(sentence);
  expect(page.actions.find(({ action }) => action === 'release')?.refusal).toMatch(names);

  const changes = { CO: [{ decision: 'allowed' as const, reason: 'Counsel found an exception' }] };
  const stateRules = { ...site.settings.stateRules, changes };
  const decided = { ...site.settings, stateRules };
  expect((await plan(decided)).counts).toMatchObject({ due: 1, passedOver: 0 });
  await release(pool, leadId, actor, decided);
  await expect.poll(() => soldOf(leadId)).toEqual(['delivered']);
  const { bytes } = await makePack({ pool, settings: site.settings }, leadId);
  const { releases } = fileIn(bytes, 'decisions.json');
  expect(releases).toMatchObject([{ revision: 1, ruling: { result: 'allowed' } }]);
  expect(releases[0].ruling.inputs).toMatchObject({
    decided_on: formatIso(today),
    operator_reason: 'Counsel found an exception',
  });
  const released = (await read()).story.find(({ title }) => title.startsWith('Released'));
  expect(released?.text).toContain('“Counsel found an exception”');
});

test('a lead held for another reason is not sold if a rule has begun since', async () => {
  const { pool } = site.database;
  const lead = freshLead({ zip_code: stateZips.OH, phone: '12' });
  await site.post('/post-lead', lead);
  const leadId = String(lead.lead_id);
  expect((await leadOf(leadId)).lead?.state).toBe('held');
  const changes = { OH: [{ decision: 'prohibited' as const, reason }] };
  const later = { ...site.settings, stateRules: { ...site.settings.stateRules, changes } };
  const forced = { actor: 'tester', destination: 'ingest', force: true };
  await expect(release(pool, leadId, forced, later)).rejects.toThrow(reason);
  await expect(resend(pool, leadId, forced, later)).rejects.toThrow(reason);
  // Before the rules by state, the decisions had the state only for another rule.
  await pool.query(
    `update lead_revisions set decisions = (select json_agg(rule) from json_array_elements(decisions)
       as rule where rule->>'rule' <> 'state_rule') where lead_id = $1`,
    [leadId],
  );
  await expect(release(pool, leadId, forced, later)).rejects.toThrow(reason);
  await resend(pool, leadId, forced, site.settings);
});

test('a resend to a buyer that never took the lead follows today’s rules', async () => {
  const { pool } = site.database;
  const leadId = await postFrom(stateZips.OH);
  await expect.poll(() => soldOf(leadId)).toEqual(['delivered']);
  const changes = { OH: [{ decision: 'prohibited' as const, reason }] };
  const later = { ...site.settings, stateRules: { ...site.settings.stateRules, changes } };
  const forced = { actor: 'tester', destination: 'ingest', force: true };
  await pool.query(
    `with gone as (delete from delivery_attempts a using deliveries d
       where d.id = a.delivery_id and d.lead_id = $1 and d.destination = 'ingest')
     update deliveries set state = 'dead', end_reason = 'given_up', may_have_arrived = false
     where lead_id = $1 and destination = 'ingest'`,
    [leadId],
  );
  await expect(resend(pool, leadId, forced, later)).rejects.toThrow(reason);
  await resend(pool, leadId, forced, site.settings);
});
