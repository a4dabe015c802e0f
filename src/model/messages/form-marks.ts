/**
 * A refused form without JavaScript returns with the values that the visitor typed. The server renders the
 * page once with placeholders, called marks, and replaces them by the values for each answer
 * (docs/decisions/0036-contact-form.md).
 */

/** Delimiters of a mark: private-use characters, which occur in none of our texts. */
const BEGIN = '\uE000';
const END = '\uE001';

/** Renders the parts of a page that depend on the posted form. `place` names such a part. */
export type FormPlaces = {
  /** Returns the posted text of a place, or '' without a posted form. */
  text(place: string): string;
  /** Returns the additional class ` name` if the place has a text, else ''. */
  whether(place: string, name: string): string;
  /** Returns the `data-chosen` attribute of an option. `fillMarks` turns it into `selected` if chosen. */
  chosen(place: string, value: string): string | undefined;
};

/** Renders every place as empty, for a page without a posted form. */
export const emptyPlaces: FormPlaces = {
  text: () => '',
  whether: () => '',
  chosen: () => undefined,
};

/** Renders every place as a mark, for `fillMarks` to replace. */
export const markedPlaces: FormPlaces = {
  text: (place) => `${BEGIN}${place}${END}`,
  whether: (place, name) => `${BEGIN}${place}?${name}${END}`,
  chosen: (place, value) => `${BEGIN}${place}=${value}${END}`,
};

/** Replaces the marks of a rendered page by values, which it escapes for text and attributes. */
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
  // Also removes the delimiters of marks, which a visitor may have typed.
  return text.replace(/[&<>"'\uE000\uE001]/g, (character) => escapes[character] ?? '');
}
