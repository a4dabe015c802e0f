/** Begins a mark in a rendered page. No other text of a page contains this character. */
const BEGIN = '\uE000';
const END = '\uE001';

/** Renders the parts of a page that depend on a posted form. */
export type FormPlaces = {
  /** Returns the posted value, or ''. */
  text(place: string): string;
  /** Returns a CSS class if the posted value is not empty. */
  classIf(place: string, name: string): string;
  /** Returns an attribute that selects the posted value. */
  chosen(place: string, value: string): string | undefined;
};

/** Renders a page without a posted form. */
export const emptyPlaces: FormPlaces = {
  text: () => '',
  classIf: () => '',
  chosen: () => undefined,
};

/** Renders marks, which `fillMarks` replaces by posted values. */
export const markedPlaces: FormPlaces = {
  text: (place) => `${BEGIN}${place}${END}`,
  classIf: (place, name) => `${BEGIN}${place}?${name}${END}`,
  chosen: (place, value) => `${BEGIN}${place}=${value}${END}`,
};

/** Replaces the marks in a rendered page by escaped values. */
export function fillMarks(html: string, places: Readonly<Record<string, string>>): string {
  const chosen = html.replace(
    / data-chosen="\uE000([^\uE001=]+)=([^\uE001]*)\uE001"/g,
    (_, place, value) => (escapeHtml(places[place] ?? '') === value ? ' selected' : ''),
  );
  return chosen.replace(/\uE000([^\uE001?]+)(?:\?([^\uE001]*))?\uE001/g, (_, place, name) => {
    const text = places[place] ?? '';
    if (name === undefined) return escapeHtml(text);
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

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  // Removes the characters that begin and end a mark, so that a visitor cannot insert a mark.
  return text.replace(/[&<>"'\uE000\uE001]/g, (character) => escapes[character] ?? '');
}
