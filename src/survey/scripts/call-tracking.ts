import type { CollectedFields, ThirdPartyScript } from '../../contract/third-party-scripts.ts';
import type { ScriptContext } from './follow-scripts.ts';
import type { ScriptPage } from './script-page.ts';
import { keepShownNumber, replaceNumber, tenDigits } from './shown-number.ts';
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
export async function followNumber(
  { src, tagId }: ThirdPartyScript,
  { page, settings }: Pick<ScriptContext, 'settings'> & { readonly page: Pick<ScriptPage, 'load'> },
): Promise<CollectedFields | undefined> {
  const fallback = tenDigits(settings.phoneHref);
  // Looked up each time: a widget may put a link of its own in its place.
  const headers = () => [
    ...document.querySelectorAll<HTMLAnchorElement>('.call, .site-header [href^="tel:"]'),
  ];
  if (headers().length === 0 || !fallback) return undefined;
  if (tagId) window.InvocaTagId = tagId;
  if (!(await page.load(src))) return undefined;
  const number = await poll(
    () =>
      headers()
        .flatMap(({ textContent, href }) => [textContent, href])
        .map((text) => tenDigits(text ?? ''))
        .find((digits) => digits !== undefined && digits !== fallback),
    WIDGET_POLL_MS,
  );
  if (!number) return undefined;
  Object.assign(settings, replaceNumber(fallback, number));
  keepShownNumber(number);
  return { call_tracking_number: number };
}
