/** The click ids by which an ad platform recognises a click on its ad. */
import { isPlaceholder } from './tracking.ts';

export const clickIdNames = [
  'fbclid',
  'gclid',
  'gbraid',
  'wbraid',
  'ttclid',
  'msclkid',
  'ef_transaction_id',
] as const;
export type ClickIdName = (typeof clickIdNames)[number];
export type ClickIds = Readonly<Partial<Record<ClickIdName, string>>>;

/** Matches click ids. Excludes addresses and numbers of persons. */
const CLICK_ID = /^(?![\d.-]{7,17}$)[\w.-]{6,1000}$/;

/** Returns the click ids among posted fields, without placeholders and other texts. */
export function clickIdsOf(posted: Readonly<Record<string, unknown>>): ClickIds {
  const found = clickIdNames.flatMap((name) => {
    const value = String(posted[name] ?? '').trim();
    return CLICK_ID.test(value) && !isPlaceholder(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}
