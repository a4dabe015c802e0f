/**
 * Call tracking on the pages of the site (docs/specification.md#call-tracking): the widget loads when the page
 * has loaded and is idle, and its number stands in all of the page then, and in the tab's next pages.
 */
import type { SiteScripts } from '../../contract/third-party-scripts.ts';
import { followNumber } from '../../survey/scripts/call-tracking.ts';
import { loadScript, whenIdle } from '../../survey/scripts/script-page.ts';
import { keptShownNumber, replaceNumber, tenDigits } from '../../survey/scripts/shown-number.ts';

const { scripts, personal } = JSON.parse(
  document.getElementById('site-scripts')?.textContent ?? '',
) as SiteScripts;

/** An address without what is personal in its query. */
function withoutPersonal(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) {
    if (personal.includes(name.toLowerCase().replace(/[-_]/g, ''))) url.searchParams.delete(name);
  }
  return url.href;
}

/** What led here cannot be changed, and a script can read it. */
function referrerIsPersonal(): boolean {
  const { referrer } = document;
  return referrer !== '' && withoutPersonal(referrer) !== referrer;
}

function follow(): void {
  const phoneHref = document.querySelector<HTMLAnchorElement>('a[href^="tel:"]')?.href ?? '';
  const fallback = tenDigits(phoneHref);
  const kept = keptShownNumber();
  if (fallback && kept) {
    replaceNumber(fallback, kept);
    return;
  }
  if (navigator.globalPrivacyControl === true || referrerIsPersonal()) return;
  const { href } = location;
  const clean = withoutPersonal(href);
  if (clean !== href) history.replaceState(history.state, '', clean);
  const pool = new URL(href).searchParams.get('fbclid') ? 'facebook' : 'google';
  const script = scripts.find((each) => (each.pool ?? pool) === pool);
  const context = { page: { load: loadScript }, settings: { phoneHref, phoneDisplay: '' } };
  if (script) whenIdle(() => void followNumber(script, context));
}

follow();
