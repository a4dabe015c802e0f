/** Loads call tracking on the site's pages (docs/specification.md#call-tracking). */
import type { SiteScripts } from '../../../model/messages/script-declarations.ts';
import { followNumber, loadScript, whenIdle } from '../../survey/scripts/call-tracking.ts';

const { scripts, personal } = JSON.parse(
  document.getElementById('site-scripts')?.textContent ?? '',
) as SiteScripts;

/** Returns a URL without personal query parameters. */
function withoutPersonal(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) {
    if (personal.includes(name.toLowerCase().replace(/[-_]/g, ''))) url.searchParams.delete(name);
  }
  return url.href;
}

const phoneHref = document.querySelector<HTMLAnchorElement>('a[href^="tel:"]')?.href ?? '';
const { referrer } = document;
if (document.documentElement.dataset.number === '') {
  // A third-party script could read personal data in the referrer, so no script is loaded.
  if (referrer !== '' && withoutPersonal(referrer) !== referrer) {
    window.decideNumber?.(phoneHref.slice(-10));
  } else {
    const { href } = location;
    const clean = withoutPersonal(href);
    if (clean !== href) history.replaceState(history.state, '', clean);
    const pool = new URL(href).searchParams.get('fbclid') ? 'facebook' : 'google';
    const script = scripts.find((each) => (each.pool ?? pool) === pool);
    const context = { page: { load: loadScript }, settings: { phoneHref } };
    if (script) whenIdle(() => void followNumber(script, context));
  }
}
