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
 * Follows call tracking: takes the number that the widget puts into the header, shows it everywhere
 * in the page and on later screens, and stores it for the thank-you page
 * (docs/specification.md#call-tracking). If the pool has no free number, the fallback stays.
 */
export async function followNumber(
  { src, tagId }: ThirdPartyScript,
  { page, settings }: Pick<ScriptContext, 'settings'> & { readonly page: Pick<ScriptPage, 'load'> },
): Promise<CollectedFields | undefined> {
  const fallback = tenDigits(settings.phoneHref);
  // Queried each time, because a widget may replace the link.
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
