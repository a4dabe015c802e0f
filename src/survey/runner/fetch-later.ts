import type { Survey } from '../../flows/surveys.ts';
import { wait } from '../scripts/wait.ts';
import type { Later } from './extensions.ts';

/** How often it looks whether there is a reason to load the page anew, and how old the page is then at least. */
const PAUSE_MS = 2_000;
const RELOAD_AGE_MS = 10_000;

/** The style sheet of what comes after the first question: the page names it, and does not load it. */
function laterStyle(): Promise<unknown> | null {
  const sheet = document.querySelector<HTMLLinkElement>('link[disabled]');
  return (
    sheet &&
    new Promise((resolve, reject) => {
      sheet.onload = resolve;
      sheet.onerror = reject;
      sheet.disabled = false;
    })
  );
}

/**
 * Fetches what comes after the first question, code and style. Where that fails, a browser may remember the failure for
 * as long as the page lives, and the build may be gone that the page is of: the page is loaded anew, with
 * its visit as it was, once the visitor needs it and our server is within reach.
 */
export async function fetchLater(
  page: { readonly reaches: (path: string) => Promise<boolean>; readonly reload: () => void },
  { buyers }: Pick<Survey, 'buyers'>,
  isNeeded: () => boolean,
): Promise<Later> {
  try {
    const [later] = await Promise.all([
      import('./later.ts'),
      laterStyle(),
      buyers && import('./one-to-one-part.ts'),
    ]);
    return later;
  } catch {
    const isDue = () => isNeeded() && performance.now() > RELOAD_AGE_MS;
    while (!(isDue() && (await page.reaches(location.pathname)))) await wait(PAUSE_MS);
    page.reload();
    return new Promise(() => undefined);
  }
}
