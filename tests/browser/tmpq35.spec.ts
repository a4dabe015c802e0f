import { v4 } from '../../src/model/flows/variants/v4.ts';
import { walkUpTo } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

test('doubts', async ({ page }) => {
  await openSurvey(page);
  await walkUpTo(page, v4, qualifyingPath(), 'NameAndEmail');
  for (const email of ['maria@gmial.com', 'maria@mailinator.com', 'maria@yopmail.con']) {
    await page.locator('[name=first_name]').fill('Mar1a');
    await page.locator('[name=last_name]').fill('Lopez');
    await page.locator('[name=email]').fill(email);
    for (let i = 0; i < 4; i++) {
      await page.getByRole('button', { name: /Continue|Next|Siguiente/ }).click();
      await page.waitForTimeout(1800);
      const at = await page.locator('[data-step]').getAttribute('data-step');
      console.log(email, i, at, await page.locator('.error').allTextContents(), await page.evaluate(() => document.activeElement?.id));
      if (at !== 'NameAndEmail') { await page.goBack(); await page.waitForTimeout(500); break; }
    }
  }
});
