import { v4 } from '../../src/model/flows/variants/v4.ts';
import { walkUpTo } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';
const tag = process.env.TAG ?? 'x';
for (const [path, lang] of [['/survey/v4', 'en'], ['/survey/v4nv-es', 'es']] as const) {
  for (const [width, height] of [[360, 740], [1440, 900]] as const) {
    test(`shots ${lang} ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await openSurvey(page, path);
      const way = qualifyingPath();
      await walkUpTo(page, v4, way, 'PhoneAndZip');
      await page.waitForTimeout(600);
      const box = await page.locator('button[type=submit]').boundingBox();
      console.log(lang, width, 'button bottom', box && box.y + box.height, 'of', height);
      await page.screenshot({ path: `/tmp/q35-phone-${lang}-${width}-${tag}.png` });
    });
  }
}
