import type { MarkdownInstance } from 'astro';
import type { Language } from '../../model/fields/language.ts';
import type { PageId } from './site-map.ts';

/** The front matter of a file in `content/pages/`. */
export type Frontmatter = {
  readonly title: string;
  /** The title in tabs and search results. Default: `title`. */
  readonly metaTitle?: string;
  readonly description: string;
  /** The paragraph under the heading. */
  readonly lead: string;
  /** The day on which the page was last checked, such as `2026-11-22`. */
  readonly checked: string;
  /** The sources of the page's statements. */
  readonly sources?: readonly { readonly name: string; readonly url?: string }[];
  /** Suggested further pages. */
  readonly next: readonly PageId[];
};

const files = import.meta.glob<MarkdownInstance<Frontmatter>>('../../../content/pages/*/*.md', {
  eager: true,
});

/**
 * Returns the text of a page, with placeholders. HTML replaces `{name}` in a sentence. A section of the page replaces a
 * paragraph that has only `{name}` or `{name:argument}`.
 * @throws if the page has no text in the language
 */
export function contentOf(page: PageId, language: Language): MarkdownInstance<Frontmatter> {
  const file = files[`../../../content/pages/${language}/${page}.md`];
  if (!file) throw new Error(`content/pages/${language}/${page}.md is missing`);
  return file;
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * Replaces the placeholders in sentences by the HTML in `values`.
 * @throws for an unknown placeholder
 */
export function fillPlaces(html: string, values: Readonly<Record<string, string>>): string {
  // Prevents a line break between the sign § and its number.
  return html.replaceAll('§ ', '§\u00a0').replace(/\{([a-z][a-z-]*)\}/g, (found, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The text has the unknown placeholder ${found}`);
    return value;
  });
}

/** Splits a page's text into sections and the text between them. A piece with a `name` is a section. */
export function piecesOf(html: string) {
  return html
    .split(/(<p>\{[a-z-]+(?::[\w-]+)?\}<\/p>)/)
    .filter((piece) => piece.trim() !== '')
    .map((piece) => {
      const [, name, argument] = /^<p>\{([a-z-]+):?([\w-]*)\}<\/p>$/.exec(piece) ?? [];
      return { html: piece, name, argument };
    });
}
