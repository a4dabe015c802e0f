/**
 * When a form posted without scripts is refused, its page comes back with the values that the visitor typed.
 * The page is rendered once, with marks at the places of those values. For each answer the server replaces
 * the marks in a copy (docs/decisions/0036-contact-form.md).
 */

/** Private-use characters, which occur in none of our texts or addresses. */
const BEGIN = '\uE000';
const END = '\uE001';

/** Renders the places of a page that depend on the posted form. */
export type FormPlaces = {
  /** Returns the text of a place; '' if nothing was posted. */
  text(place: string): string;
  /** Returns the additional class ` name` if the place has a text, else ''. */
  whether(place: string, name: string): string;
  /** Returns the `data-chosen` attribute of an option; it becomes `selected` if its value was chosen. */
  chosen(place: string, value: string): string | undefined;
};

/** The places of a page for which no form was posted: all empty. */
export const emptyPlaces: FormPlaces = {
  text: () => '',
  whether: () => '',
  chosen: () => undefined,
};

/** The places as marks that `fillMarks` replaces. */
export const markedPlaces: FormPlaces = {
  text: (place) => `${BEGIN}${place}${END}`,
  whether: (place, name) => `${BEGIN}${place}?${name}${END}`,
  chosen: (place, value) => `${BEGIN}${place}=${value}${END}`,
};

/** Replaces the marks of a rendered page, escaped for both text and attribute values. */
export function fillMarks(html: string, places: Readonly<Record<string, string>>): string {
  const chosen = html.replace(
    / data-chosen="\uE000([^\uE001=]+)=([^\uE001]*)\uE001"/g,
    (_, place, value) => (escaped(places[place] ?? '') === value ? ' selected' : ''),
  );
  return chosen.replace(/\uE000([^\uE001?]+)(?:\?([^\uE001]*))?\uE001/g, (_, place, name) => {
    const text = places[place] ?? '';
    if (name === undefined) return escaped(text);
    return text === '' ? '' : ` ${name}`;
  });
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  // The visitor may have typed the mark characters themselves.
  return text.replace(/[&<>"'\uE000\uE001]/g, (character) => escapes[character] ?? '');
}
