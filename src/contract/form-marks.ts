/**
 * A form that a browser posts without a script and that cannot be taken comes back with what was typed. Its
 * page is rendered once, as every page is, with marks in these places; the server puts what belongs there
 * into a copy (docs/decisions/0036-contact-form.md).
 */

/** In private use, so that no text of ours and no address has them. */
const BEGIN = '\uE000';
const END = '\uE001';

/** What stands at the places of a page that depend on what was posted. */
export type FormPlaces = {
  /** The text at a place; '' in a page that nobody has posted to. */
  text(place: string): string;
  /** ` name` as a further class where a place has something to say, else ''. */
  whether(place: string, name: string): string;
  /** Of an option of a list, as `data-chosen`: becomes `selected` where its value was chosen. */
  chosen(place: string, value: string): string | undefined;
};

/** The places of a page that nobody has posted to. */
export const emptyPlaces: FormPlaces = {
  text: () => '',
  whether: () => '',
  chosen: () => undefined,
};

/** The places as marks, for `fillMarks`. */
export const markedPlaces: FormPlaces = {
  text: (place) => `${BEGIN}${place}${END}`,
  whether: (place, name) => `${BEGIN}${place}?${name}${END}`,
  chosen: (place, value) => `${BEGIN}${place}=${value}${END}`,
};

/** A rendered page with its marks replaced: escaped, as text and as the value of an attribute. */
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
  // What was typed may hold the marks' own characters.
  return text.replace(/[&<>"'\uE000\uE001]/g, (character) => escapes[character] ?? '');
}
