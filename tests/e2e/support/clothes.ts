import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { type Scheme, schemes, type ThemeName, themeNames } from '../../../src/domain/look.ts';
import { putAxeInto } from './page-errors.ts';

/** A theme in a colour scheme. */
export type Clothes = { readonly theme: ThemeName; readonly scheme: Scheme };

/** Every theme in both schemes. */
export const allClothes: readonly Clothes[] = themeNames.flatMap((theme) =>
  schemes.map((scheme) => ({ theme, scheme })),
);

let sheets: Promise<string> | undefined;

/** Returns the style sheets of all themes. A page carries only its own, so each comes from another page. */
function themeSheets(page: Page): Promise<string> {
  const sheetOf = async (theme: ThemeName) => {
    const answer = await page.request.get(`/preview/screen/?theme=${theme}`);
    const found = [...(await answer.text()).matchAll(/<style>([^<]*)<\/style>/g)];
    const own = found.map(([, css]) => css).find((css) => css?.includes(`[data-theme=${theme}]`));
    if (own === undefined) throw new Error(`no page has the theme ${theme}`);
    return own;
  };
  sheets ??= Promise.all(themeNames.map(sheetOf)).then((all) => all.join('\n'));
  return sheets;
}

/** The rules that a theme can break: colours, and size and distance of targets. */
const rules = ['color-contrast', 'link-in-text-block', 'target-size'];

/**
 * Runs axe on the page in each theme and scheme. It switches them in place, because reloading would take
 * minutes. The browser context must bypass the content security policy.
 *
 * @returns the violations
 */
export async function examineInClothes(page: Page, clothes: readonly Clothes[]): Promise<string[]> {
  // A colour in transition belongs to no theme.
  await page.addStyleTag({
    content: `${await themeSheets(page)}*,*::before{transition:none!important}`,
  });
  await putAxeInto(page);
  const found: string[] = [];
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme });
    const themes = clothes.filter((each) => each.scheme === scheme).map(({ theme }) => theme);
    const violations = await page.evaluate(
      async ([names, values]) => {
        const { run } = (window as unknown as { axe: typeof axe }).axe;
        const said: string[] = [];
        for (const name of names) {
          document.documentElement.dataset.theme = name;
          const { violations } = await run(document, {
            runOnly: values,
            resultTypes: ['violations'],
            iframes: false,
          });
          for (const { id, nodes } of violations) {
            said.push(`${name}, ${id}: ${nodes[0]?.html} (${nodes.length})`);
          }
        }
        return said;
      },
      [themes, rules] as const,
    );
    found.push(...violations.map((violation) => `${scheme} ${violation}`));
  }
  return found;
}
