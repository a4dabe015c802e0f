import buyers from '../styles/buyers.css?inline';
import code from '../styles/code.css?inline';
import choices from '../styles/survey-choices.css?inline';
import steps from '../styles/survey-later.css?inline';
import worth from '../styles/worth.css?inline';
import { type LaterPart, sheetAddress } from './sheet-address.ts';

const sheets: Readonly<Record<LaterPart, string>> = { steps, choices, buyers, worth, code };

/** Returns a style sheet that a survey loads after its first question, and its address. */
export function laterSheet(part: LaterPart): { readonly css: string; readonly address: string } {
  const css = sheets[part];
  const address = import.meta.env.DEV ? `/survey-later.css?part=${part}` : sheetAddress(css);
  return { css, address };
}
