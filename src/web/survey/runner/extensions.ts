import type { ScreenParts } from '../screens/screen-props.ts';
import type { followScripts } from '../scripts/follow-scripts.ts';
import type { findState } from './find-state.ts';
import type * as later from './later.ts';
import type { createOneToOne } from './one-to-one.ts';
import type { showCodeDialog } from './show-code-dialog.tsx';

/**
 * The parts that only some surveys need. Each has its own script (`*-entry.ts`) in those surveys' pages, which runs
 * before `entry.tsx`. Those of one-to-one consent come with the code of later steps (`fetch-later.ts`).
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

export function extendSurvey(part: SurveyExtensions): void {
  window.surveyExtensions ??= {};
  Object.assign(window.surveyExtensions, part);
}
