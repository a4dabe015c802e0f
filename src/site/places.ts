/**
 * The places in a page's text that are filled when it is rendered: `{name}` in a sentence, and
 * `{name}` or `{name:argument}` in a paragraph of its own, where a whole section comes in.
 */

/** Text as it may stand in HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const place = /\{([a-z][a-z-]*)\}/g;
const section = /<p>\{([a-z][a-z-]*)(?::([\w-]+))?\}<\/p>/g;

/**
 * Fills the places of sentences.
 *
 * @param values HTML by name
 * @throws when the text has a place that nothing is known for
 */
export function fillPlaces(html: string, values: Readonly<Record<string, string>>): string {
  return html.replace(place, (found, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing is known for ${found}`);
    return value;
  });
}

/** A piece of a page's text: HTML, or the section that comes in. */
export type Piece =
  | { readonly html: string }
  | { readonly section: string; readonly argument: string | undefined };

/** A page's text in its pieces, in order. */
export function piecesOf(html: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of html.matchAll(section)) {
    pieces.push({ html: html.slice(at, match.index) });
    pieces.push({ section: match[1] ?? '', argument: match[2] });
    at = match.index + match[0].length;
  }
  pieces.push({ html: html.slice(at) });
  return pieces.filter((piece) => !('html' in piece) || piece.html.trim() !== '');
}
