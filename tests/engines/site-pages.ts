/** Checks of the site's own pages in every engine. The functions run in the page. */
import { pathOf, surveyPaths } from '../../src/site/site-map.ts';

/** One page of each of the site's templates, and a survey's thank-you page. */
export const sitePages: readonly string[] = [
  pathOf('home', 'en'),
  pathOf('home', 'es'),
  pathOf('filing-claim', 'en'),
  pathOf('faqs', 'en'),
  pathOf('laws', 'en'),
  pathOf('california', 'en'),
  pathOf('video-gallery', 'en'),
  pathOf('contact', 'en'),
  pathOf('do-not-sell', 'en'),
  pathOf('verify', 'en'),
  pathOf('sponsors', 'en'),
  pathOf('privacy-policy', 'en'),
  surveyPaths.en,
  '/survey-thank-you/?q=y',
  '/survey-thank-you/?q=n',
];

/** Returns the heading's visible size, and how far the page overflows its window, in CSS pixels. */
export function standing() {
  const heading = document.querySelector('h1');
  const { width = 0, height = 0 } = heading?.getBoundingClientRect() ?? {};
  return {
    heading: width > 0 && height > 0 ? (heading?.textContent ?? '').trim() : '',
    width: innerWidth,
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}

/** Opens the menu and one of its groups. @returns the visible links */
export function openMenu(): string[] {
  document.querySelector<HTMLElement>('.menu-toggle')?.click();
  document.querySelector<HTMLElement>('#menu summary')?.click();
  return [...document.querySelectorAll('#menu a')]
    .filter((link) => link.getBoundingClientRect().height > 0)
    .map((link) => link.textContent ?? '');
}

/** Presses the button of the empty contact form. */
export function sendEmptyForm() {
  document.querySelector<HTMLElement>('.contact-form button[type=submit]')?.click();
}

/** Returns the contact form's red fields and its focused field. */
export function formErrors() {
  const inRed = document.querySelectorAll('.contact-form .field--error [name]');
  return {
    inRed: [...inRed].map((field) => field.getAttribute('name')),
    cursorIn: document.activeElement?.getAttribute('name') ?? '',
  };
}

/** Chooses files in fields of the page that checks packs. @param files base64url by field */
export function chooseFiles(files: readonly (readonly [field: string, content: string])[]): void {
  for (const [field, content] of files) {
    const binary = atob(content.replaceAll('-', '+').replaceAll('_', '/'));
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(binary, (each) => each.charCodeAt(0))], field));
    const input = document.querySelector<HTMLInputElement>(
      `.verifier:not([hidden] *) [name=${field}]`,
    );
    if (!input) throw new Error(`no field ${field}`);
    input.files = data.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }
}
