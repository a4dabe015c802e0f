/**
 * Call tracking on the site's pages (docs/specification.md#call-tracking). Loads the widget when the page is
 * idle, then shows its number in this page and in the tab's next pages.
 */
import type { SiteScripts } from '../../contract/third-party-scripts.ts';
import { followNumber } from '../../survey/scripts/call-tracking.ts';
import { loadScript, whenIdle } from '../../survey/scripts/script-page.ts';
import { keptShownNumber, replaceNumber, tenDigits } from '../../survey/scripts/shown-number.ts';

const { scripts, personal } = JSON.parse(
  document.getElementById('site-scripts')?.textContent ?? '',
) as SiteScripts;

/** Returns an address without personal query parameters. */
function withoutPersonal(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) {
    if (personal.includes(name.toLowerCase().replace(/[-_]/g, ''))) url.searchParams.delete(name);
  }
  return url.href;
}

/** Returns whether the referrer, which a third-party script could read, has personal parameters. */
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
