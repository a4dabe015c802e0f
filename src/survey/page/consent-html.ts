import { hash } from 'node:crypto';
import type { ConsentText } from '../../contract/site-settings.ts';

/** A consent text as a page's script gets it. */
export type ShownConsent = Pick<ConsentText, 'version' | 'language'> & {
  /** What stands in `#tcpa`. */
  readonly html: string;
  /** Names exactly this text, in a form that is posted without a script: `consentDigest` of it. */
  readonly digest: string;
  /** What the page says beside it to a browser that sends the opt-out signal; never part of the consent. */
  readonly note?: string;
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/**
 * A consent text for the page: its plain first line, and the words that name a page as links that open
 * beside the survey, so that nothing typed is lost. Read as text it is the text.
 */
export function shownConsent({ version, language, text, links = [] }: ConsentText): ShownConsent {
  const [first = '', ...rest] = escaped(text).split('\n');
  const linked = links.reduce(
    (html, [words, href]) =>
      html.replace(words, `<a href="${href}" target="_blank" rel="noopener">${words}</a>`),
    rest.join(' '),
  );
  const html = `<strong>${first}</strong> ${linked}`;
  return { version, language, html, digest: consentDigest({ version, text }) };
}

/** 16 characters that no other version has, nor another wording of the same one. */
export function consentDigest({ version, text }: Pick<ConsentText, 'version' | 'text'>): string {
  return hash('sha256', `${version}\n${text}`, 'base64url').slice(0, 16);
}

/** What a visitor reads of it: the text that the browser posts, `#tcpa` without its marks. */
export function readConsent({ html }: ShownConsent): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
