import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { toHex, utf8 } from '../../src/evidence/bytes.ts';
import { writeZip } from '../../src/evidence/zip.ts';
import { pathOf } from '../../src/site/site-map.ts';
import { json, makeIssuer, makePack, signHead, text } from '../support/evidence-pack.ts';
import { consistencyPath, rootOf } from '../support/merkle.ts';
import { test } from './support/journeys.ts';
import { measure } from './support/measure.ts';
import { collectErrors, examineBothSizes } from './support/page-errors.ts';

const issuer = await makeIssuer();
const pack = await makePack({ issuer });
const keys = { keys: [issuer.key] };
const genuine = 'Genuine, as far as it was checked';

const file = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
});
const packFile = file('pack.zip', pack.bytes);
const changedFiles = new Map(pack.files).set('readme.txt', utf8('Pay me.'));
const changedPack = file('changed.zip', writeZip(changedFiles));

/** Opens the page as the issuer's site would serve it, and then takes the network away. */
async function openOffline(page: Page, path: string): Promise<void> {
  await page.route('**/.well-known/evidence/keys.json', (route) => route.fulfill({ json: keys }));
  const asked = page.waitForResponse('**/.well-known/evidence/keys.json');
  await page.goto(path);
  await (await asked).finished();
  await page.unrouteAll();
  await page.context().setOffline(true);
}

test('offline, a pack is proven: who signed, what text, and what no pack can prove', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await openOffline(page, pathOf('verify', 'en'));
  await page.getByLabel('Evidence pack').setInputFiles(packFile);
  const heading = page.getByRole('heading', { name: genuine });
  await expect(heading).toBeFocused();
  const report = page.getByRole('region', { name: genuine });
  await expect(report).toContainText(text);
  await expect(report).toContainText('Who sat at the keyboard');
  await expect(report.locator('[data-outcome=passed]')).toHaveCount(7);
  await expect(report.locator('[data-outcome=failed]')).toHaveCount(0);
  await examineBothSizes(page, 'a proven pack');
  expect(errors).toEqual([]);
});

test('a changed pack: what failed comes first, open, and nothing is called proven', async ({
  page,
}) => {
  await openOffline(page, pathOf('verify', 'en'));
  await page.getByLabel('Evidence pack').setInputFiles(changedPack);
  const report = page.getByRole('region', { name: 'Do not rely on this pack' });
  const first = report.getByRole('listitem').first();
  await expect(first).toContainText('failed');
  await expect(first.locator('details')).toHaveAttribute('open');
  await expect(report).not.toContainText('genuine');
  await examineBothSizes(page, 'a changed pack');
  expect((await measure(page, 0)).wider).toBe(0);

  // Another pack replaces the report.
  await page.getByLabel('Evidence pack').setInputFiles(packFile);
  await expect(page.getByRole('heading', { name: genuine })).toBeFocused();
});

test('files that the reader kept: keys, a head, a proof; a wrong one is named', async ({
  page,
}) => {
  await openOffline(page, pathOf('verify', 'en'));
  await page.getByText('Compare with files that you kept').click();
  const stranger = await makeIssuer();
  await page
    .getByLabel('Keys of the issuer')
    .setInputFiles(file('stranger.json', json({ keys: [stranger.key] })));
  await page.getByLabel('Evidence pack').setInputFiles(packFile);
  const status = page.getByRole('status');
  const check = (id: string) => page.locator(`[data-check=${id}]`);
  await expect(check('signer')).toContainText('not signed with a valid key from stranger.json');
  // As someone formatted the published file.
  const formatted = utf8(JSON.stringify(keys, null, 2));
  await page.getByLabel('Keys of the issuer').setInputFiles(file('keys.json', formatted));
  await expect(status).toHaveText(genuine);
  await examineBothSizes(page, 'files that the reader kept');

  const leaves = pack.leaves.slice(0, 9);
  const kept = { ...pack.head, treeSize: 9, rootHash: toHex(await rootOf(leaves)) };
  const head = file('head.jws', await signHead(kept, issuer));
  await page.getByLabel('State of the log').setInputFiles(head);
  await expect(check('history')).toContainText('needs /consistency?from=9&to=40');
  const path = (await consistencyPath(pack.leaves, 9)).map(toHex);
  const proof = page.getByLabel('Proof between two states');
  await proof.setInputFiles(file('proof.json', json({ from: 9, to: 40, path })));
  await expect(check('history')).toHaveAttribute('data-outcome', 'passed');
  await proof.setInputFiles(file('picture.json', utf8('GIF89a')));
  await expect(status).toHaveText(
    'picture.json could not be read. It is not the file that is asked for here.',
  );
});

test('a pack that is dropped anywhere is checked, on the Spanish page', async ({ page }) => {
  await openOffline(page, pathOf('verify', 'es'));
  const dropped = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], 'pack.zip'));
      return data;
    },
    [...pack.bytes],
  );
  await page.locator('h1').dispatchEvent('drop', { dataTransfer: dropped });
  const heading = page.getByRole('heading', {
    name: 'Auténtico, hasta donde se comprobó',
  });
  await expect(heading).toBeFocused();
  await examineBothSizes(page, 'a proven pack in Spanish');
});

test('the verifier as one file asks for nothing, and needs keys to name the signer', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.context().setOffline(true);
  const url = pathToFileURL(join(import.meta.dirname, '../../dist/evidence/verify.html')).href;
  await page.goto(url);
  await page.getByRole('button', { name: 'Español' }).click();
  await expect(page.getByRole('button', { name: 'English' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByLabel('Evidence pack').setInputFiles(packFile);
  const unconfirmed = 'Nothing is wrong, but the proof is not complete';
  await expect(page.getByRole('heading', { name: unconfirmed })).toBeFocused();
  await page.getByText('Compare with files that you kept').click();
  await page.getByLabel('Keys of the issuer').setInputFiles(file('keys.json', json(keys)));
  await expect(page.getByRole('heading', { name: genuine })).toBeVisible();
  await examineBothSizes(page, 'the verifier as one file');
  expect((await measure(page, 0)).wider).toBe(0);
  expect(asked).toEqual([url]);
  expect(errors).toEqual([]);
});
