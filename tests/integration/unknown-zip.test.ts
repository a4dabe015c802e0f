/** A zip code without a place, given by forms alone (docs/specification.md#zip-look-up). */
import { expect, test } from 'vitest';
import { builtSiteForTests } from '../support/built-site.ts';
import { person, shortFormAt } from '../support/plain-walk.ts';

const site = builtSiteForTests(() => ({}));

test('after two refusals of a zip code without a place, the visitor chooses a state, which the lead says', async () => {
  const browser = await shortFormAt(site.server.url, 'PhoneAndZip');
  const typed = { phone: person.phone, zip_code: '00601' };
  const asksState = () =>
    browser.all('select').some(({ attributes }) => attributes.name === 'state_choice');
  await browser.press(undefined, typed);
  expect([browser.text('#error-zip_code'), asksState()]).toEqual([expect.any(String), false]);
  await browser.press(undefined, typed);
  await browser.press(undefined, { ...typed, state_choice: '' });
  expect([browser.step, asksState()]).toEqual(['PhoneAndZip', true]);
  await browser.press(undefined, { ...typed, state_choice: 'NE' });
  const { last } = await site.leadOf(browser.leadId);
  expect(last?.fields).toMatchObject({ zip_code: '00601', state: 'NE', state_long: 'Nebraska' });
  expect(last?.body).toMatchObject({ state_choice: 'NE' });
  expect(last?.problems).toMatchObject([{ field: 'zip_code', reason: 'unknown_zip' }]);
});
