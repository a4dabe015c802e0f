import type { ConsentText } from '../../contract/site-settings.ts';
import { consentDigest } from '../../journey/consent-digest.ts';
import type { PageConsent } from '../../journey/data.ts';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/**
 * Returns a consent text as HTML for the page: its first line in bold, and its links. The links
 * open a new tab, so that no typed value is lost. Without its tags the HTML is the consent text.
 */
export function shownConsent({ version, language, text, links = [] }: ConsentText): PageConsent {
  const [first = '', ...rest] = escaped(text).split('\n');
  const linked = links.reduce(
    (html, [words, href]) =>
      html.replace(words, `<a href="${href}" target="_blank" rel="noopener">${words}</a>`),
    rest.join(' '),
  );
  const html = `<strong>${first}</strong> ${linked}`;
  return { version, language, html, digest: consentDigest({ version, text }) };
}

/** Returns the consent text as read and posted: the HTML of `#tcpa` without its tags. */
export function consentTextOf({ html }: PageConsent): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
