import { sheetAddress } from './sheet-address.ts';
import css from './themes/survey-later.css?inline';

/** The styles that a survey needs after its first question, and their address. */
export const laterSheet = {
  css,
  address: import.meta.env.DEV ? '/survey-later.css' : sheetAddress(css),
};
