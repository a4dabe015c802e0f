import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { testLead } from '../support/leads.ts';
import { expectLoaded, pickReason, postLead, serverErrors, signIn } from './support/console.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { collectErrors } from './support/page-errors.ts';
import { desktop } from './support/windows.ts';

/** A visitor who attacks the operators: hostile values in everything that a browser can send. */
const escapes = '\u001b]0;owned\u0007\u001b[2J';
const attacks = [
  '"><img src=x onerror="window.hacked=1">',
  '<script>window.hacked=1</script>',
  "javascript:window.hacked=1//'",
  `=HYPERLINK("http://evil.example","x")\r\nSet-Cookie: a=b${escapes}`,
];
const attack = (index: number) => attacks[index % attacks.length] ?? '';

let demo: Demo;
test.use(desktop);
test.beforeAll(async () => {
  demo = await startDemo();
});
test.afterAll(() => demo?.stop());

/** Keeps what decides whether a lead is stored at all; everything else is an attack. */
const kept = new Set([
  ...['lead_id', 'survey', 'tcpa', 'consent_version', 'consent_shown_at', 'submitted_at', 'phone'],
]);

test('no value of a visitor runs in the console or in what it exports', async ({ page }) => {
  const names = Object.keys(testLead()).filter((name) => !kept.has(name));
  const hostile = Object.fromEntries(names.map((name, index) => [name, attack(index)]));
  const headers = {
    'user-agent': attacks[0] ?? '',
    referer: `${demo.url}/${encodeURI(attack(0))}`,
  };
  const ids = [
    await postLead(demo.url, { ...hostile, [attack(1)]: attack(0) }, headers),
    await postLead(demo.url, { survey: attack(0), language: attack(1) }),
    await postLead(demo.url, { email: `"${attack(0)}"@example.com`, case_description: attack(1) }),
  ];
  await saveHostileSteps(ids[0] ?? '');
  await askNotToSell();
  await signIn(page, demo, 'careful@example.com');
  const errors = collectErrors(page);
  page.on('dialog', (dialog) => errors.push(`a dialog: ${dialog.message()}`));

  const paths = [
    ...['/', '/leads', ...ids.map((id) => `/leads/${id}`), '/deliveries', '/plans', '/funnels'],
    ...['/surveys', '/people-requests', '/people-requests?tab=requests'],
    ...['/people-requests?tab=erasure', '/system', '/system?view=audit'],
    `/leads?q=${encodeURIComponent(attack(0))}`,
    `/leads?source=${encodeURIComponent(attack(1))}&survey=${encodeURIComponent(attack(0))}`,
  ];
  for (const path of paths) {
    await page.goto(demo.consoleUrl + path);
    await expectLoaded(page);
    await expectUnharmed(page, path);
  }
  await openPerson(page, ids[0] ?? '');
  await expectUnharmed(page, 'an opened lead');
  await expectHarmlessExport(page);
  expect(serverErrors(demo)).toEqual([]);
  // A filter with an impossible value is refused.
  expect(errors.filter((error) => !error.includes('status of 400'))).toEqual([]);
});

async function expectUnharmed(page: Page, where: string): Promise<void> {
  expect(await page.evaluate(() => 'hacked' in window), where).toBe(false);
  const links = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
  expect(new Set(links), where).toEqual(new Set(['http:']));
  await expect(page.locator('img[src=x]'), where).toHaveCount(0);
}

/** Opens the lead's personal data, so that the values are shown as they were sent. */
async function openPerson(page: Page, id: string): Promise<void> {
  await page.goto(`${demo.consoleUrl}/leads/${id}`);
  await page.getByRole('button', { name: 'Open contact details' }).click();
  await pickReason(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('#main')).toContainText('onerror');
}

/** The file may be opened in a spreadsheet or printed on a terminal. */
async function expectHarmlessExport(page: Page): Promise<void> {
  await page.goto(`${demo.consoleUrl}/leads`);
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Look at it');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const csv = await readFile(await (await downloading).path(), 'utf8');
  expect(csv).toContain('onerror');
  // A terminal acts on control characters: C0 but line ends and tabs, DEL, C1.
  const codes = [...csv].map((letter) => letter.codePointAt(0) ?? 0);
  const isControl = (code: number) => code < 32 || (code > 126 && code < 160);
  expect(codes.filter((code) => isControl(code) && ![9, 10, 13].includes(code))).toEqual([]);
  for (const record of csv.split('\r\n')) expect(record).not.toMatch(/(^|[,"\n;])\s*=HYPERLINK/);
}

async function saveHostileSteps(leadId: string): Promise<void> {
  const session = {
    ...{ lead_id: leadId, survey: attack(0), click_id: 'a'.repeat(32), referer: attack(2) },
    ...{ landing_page: attack(2), params: { utm_source: attack(0), [attack(1)]: attack(2) } },
    started_at: new Date().toISOString(),
  };
  const data = attacks.map((step, index) => ({
    ...{ seq: index + 1, step, kind: index % 2 ? step : 'answered', at: new Date().toISOString() },
    answers: { first_name: attack(0), email: attack(1) },
  }));
  await fetch(`${demo.url}/api/save-data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session, data }),
  });
}

async function askNotToSell(): Promise<void> {
  const form = new URLSearchParams({
    name: attack(0),
    email: 'a@example.com',
    phone: '',
    state: 'NY',
  });
  await fetch(`${demo.url}/do-not-sell/`, {
    method: 'POST',
    headers: { origin: demo.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
    redirect: 'manual',
  });
}
