import { wait } from '../queue/requests.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import type { loadLater } from './later.tsx';
import { browserPage } from './runner.ts';

export type Later = Awaited<ReturnType<typeof loadLater>>;

const PAUSE_MS = 2_000;
const RELOAD_AGE_MS = 10_000;

/** Loads the style sheets of the later steps, whose links are disabled in the page. */
function laterStyles(): Promise<unknown>[] {
  return Array.from(
    document.querySelectorAll<HTMLLinkElement>('link[disabled]'),
    (sheet) =>
      new Promise((resolve, reject) => {
        sheet.onload = resolve;
        sheet.onerror = reject;
        sheet.disabled = false;
      }),
  );
}

/**
 * Fetches the code and styles of the steps after the first question. After a failure, reloads the
 * page once the visitor needs the code, because the browser may repeat the failed import.
 */
export async function fetchLater(data: SurveyPageData, isNeeded: () => boolean): Promise<Later> {
  try {
    const [{ loadLater }] = await Promise.all([import('./later.tsx'), ...laterStyles()]);
    return await loadLater(data);
  } catch {
    const isDue = () => isNeeded() && performance.now() > RELOAD_AGE_MS;
    while (!(isDue() && (await browserPage.reaches(location.pathname)))) await wait(PAUSE_MS);
    browserPage.reload();
    return new Promise(() => undefined);
  }
}
