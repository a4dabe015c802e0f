import type { Survey } from '../../../model/flows/surveys.ts';
import { wait } from '../scripts/wait.ts';
import type { Later, SurveyExtensions } from './extensions.ts';
import { browserPage } from './runner.ts';

/** Pause between two checks whether to reload the page. */
const PAUSE_MS = 2_000;
const RELOAD_AGE_MS = 10_000;

/** Loads the styles of the later steps, whose disabled links are in the page. */
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
 * Fetches code and style of the steps after the first question, and adds the parts of one-to-one consent. After a
 * failure it reloads the page, with its visit, as soon as the visitor needs the code and our server is reachable: the
 * browser may remember the failure until then, or a newer build may have replaced the files.
 */
export async function fetchLater(
  { buyers }: Pick<Survey, 'buyers'>,
  extensions: SurveyExtensions,
  isNeeded: () => boolean,
): Promise<Later> {
  try {
    const [later, oneToOne] = await Promise.all([
      import('./later.ts'),
      buyers && import('./one-to-one.ts'),
      ...laterStyles(),
    ]);
    Object.assign(extensions, oneToOne satisfies SurveyExtensions | undefined);
    return later;
  } catch {
    const isDue = () => isNeeded() && performance.now() > RELOAD_AGE_MS;
    while (!(isDue() && (await browserPage.reaches(location.pathname)))) await wait(PAUSE_MS);
    browserPage.reload();
    return new Promise(() => undefined);
  }
}
