import { sheetAddress } from './sheet-address.ts';
import css from './themes/survey-later.css?inline';

/** What a survey's page is styled with beyond its first question: as text, and where it is a file. */
export const laterSheet = {
  css,
  address: import.meta.env.DEV ? '/survey-later.css' : sheetAddress(css),
};
