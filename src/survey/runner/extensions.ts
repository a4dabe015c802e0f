import type { ScreenParts } from '../screens/screen-props.ts';
import type { followScripts } from '../scripts/follow-scripts.ts';
import type { findState } from './find-state.ts';
import type * as later from './later.ts';
import type { OneToOne } from './one-to-one.ts';
import type { VerifyPhone } from './verify-phone.ts';

/**
 * What few surveys need is a script of its own in their pages only (`worth-entry.ts`,
 * `script-loader-entry.ts`, `find-state-entry.ts`, `sms-entry.ts`), which stands before `entry.tsx` and
 * leaves its part here. `one-to-one-part.ts` does so with the code of later steps (fetch-later.ts).
 */
export type SurveyExtensions = ScreenParts & {
  OneToOne?: typeof OneToOne;
  followScripts?: typeof followScripts;
  findState?: typeof findState;
  verifyPhone?: VerifyPhone;
};

declare global {
  interface Window {
    surveyExtensions?: SurveyExtensions;
  }
}

/** The module of what comes after the first question. */
export type Later = typeof later;

/** Leaves a part for the survey's own script to find. */
export function extendSurvey(part: SurveyExtensions): void {
  window.surveyExtensions ??= {};
  Object.assign(window.surveyExtensions, part);
}
