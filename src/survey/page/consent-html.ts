import type { ConsentText } from '../../contract/site-settings.ts';
import { consentDigest } from '../../journey/consent-digest.ts';
import type { PageConsent } from '../../journey/data.ts';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/**
 * A consent text for the page: its plain first line, and the words that name a page as links that open
 * beside the survey, so that nothing typed is lost. Read as text it is the text.
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
