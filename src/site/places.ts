/**
 * Placeholders in a page's text, filled at rendering: `{name}` in a sentence stands for HTML.
 * `{name}` or `{name:argument}` alone in a paragraph stands for a section.
 */

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const place = /\{([a-z][a-z-]*)\}/g;
const section = /<p>\{([a-z][a-z-]*)(?::([\w-]+))?\}<\/p>/g;

/** Fills the placeholders in sentences with the HTML in `values`. Throws for an unknown name. */
export function fillPlaces(html: string, values: Readonly<Record<string, string>>): string {
  return html.replace(place, (found, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The text has the unknown placeholder ${found}`);
    return value;
  });
}

/** A piece of a page's text: HTML, or a section to insert. */
type Piece =
  | { readonly html: string }
  | { readonly section: string; readonly argument: string | undefined };

/** Splits a page's text at its sections. */
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
