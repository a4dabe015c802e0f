import type {
  CollectedFields,
  ThirdPartyScript,
} from '../../../model/messages/third-party-scripts.ts';
import { poll, type ScriptPage, WIDGET_POLL_MS } from './script-page.ts';

declare global {
  interface Window {
    /** Invoca's script looks here for its tag. */
    InvocaTagId?: string;
  }
}

/**
 * Loads the widget of call tracking, unless the visit already has its number, and returns the number if it is the
 * widget's (`shown-number.ts`, docs/specification.md#call-tracking).
 */
export async function followNumber(
  { src, tagId }: ThirdPartyScript,
  { page, settings }: { page: Pick<ScriptPage, 'load'>; settings: { phoneHref: string } },
): Promise<CollectedFields | undefined> {
  const { dataset } = document.documentElement;
  const fallback = settings.phoneHref.slice(-10);
  if (!dataset.number) {
    if (tagId) window.InvocaTagId = tagId;
    if (!(await page.load(src))) window.decideNumber?.(fallback);
  }
  const number = await poll(() => dataset.number || undefined, WIDGET_POLL_MS);
  return number && number !== fallback ? { call_tracking_number: number } : undefined;
}
