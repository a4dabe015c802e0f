import type { Survey } from '../../../model/flows/surveys.ts';
import { wait } from '../queue/requests.ts';
import type { showCodeDialog } from '../screens/code-dialog.tsx';
import type { ScreenParts } from '../screens/screen-props.ts';
import type { followScripts } from '../scripts/follow-scripts.ts';
import type { findState } from './find-state.ts';
import type * as later from './later.tsx';
import type { createOneToOne } from './one-to-one.tsx';
import { browserPage } from './runner.ts';

/**
 * The parts that only some surveys need. A script of those surveys' pages sets each before `entry.tsx` runs. Those of
 * one-to-one consent come with the code of later steps.
 */
export type SurveyExtensions = ScreenParts & {
  createOneToOne?: typeof createOneToOne;
  followScripts?: typeof followScripts;
  findState?: typeof findState;
  verifyPhone?: typeof showCodeDialog;
};

declare global {
  interface Window {
    surveyExtensions?: SurveyExtensions;
  }
}

export type Later = typeof later;

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
      import('./later.tsx'),
      buyers && import('./one-to-one.tsx'),
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
