import { keepShownNumber, replaceNumber, tenDigits } from '../page/shown-number.ts';
import type { ScriptPart } from './follow-scripts.ts';
import { poll, WIDGET_POLL_MS } from './wait.ts';

declare global {
  interface Window {
    /** Invoca's script looks here for its tag. */
    InvocaTagId?: string;
  }
}

/**
 * Call tracking: the widget overwrites the number in the header, or its link. From then on that number
 * stands everywhere in the page and on every screen to come, and is kept for the thank-you page
 * (docs/specification.md#call-tracking). A pool without a free number leaves the fallback as it was.
 */
export const followNumber: ScriptPart = async ({ src, tagId }, { page, settings }) => {
  const fallback = tenDigits(settings.phoneHref);
  // Looked up each time: a widget may put a link of its own in its place.
  const header = () => document.querySelector<HTMLAnchorElement>('.call');
  if (!header() || !fallback) return undefined;
  if (tagId) window.InvocaTagId = tagId;
  if (!(await page.load(src))) return undefined;
  const number = await poll(
    () =>
      [header()?.textContent, header()?.href]
        .map((text) => tenDigits(text ?? ''))
        .find((digits) => digits !== undefined && digits !== fallback),
    WIDGET_POLL_MS,
  );
  if (!number) return undefined;
  Object.assign(settings, replaceNumber(fallback, number));
  keepShownNumber(number);
  return { call_tracking_number: number };
};
