import type { MarkdownInstance } from 'astro';
import type { Language } from '../../model/fields/language.ts';
import type { PageId } from './site-map.ts';

/** The front matter of a file in `content/pages/`. */
export type Frontmatter = {
  readonly title: string;
  readonly metaTitle?: string;
  readonly description: string;
  readonly lead: string;
  /** The day on which the page was last checked, such as `2026-11-22`. */
  readonly checked: string;
  readonly sources?: readonly { readonly name: string; readonly url?: string }[];
  readonly next: readonly PageId[];
};

const files = import.meta.glob<MarkdownInstance<Frontmatter>>('../../../content/pages/*/*.md', {
  eager: true,
});

/** Returns the text of a page, with placeholders. Throws if the language lacks the page. */
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

/** Replaces placeholders in sentences by the HTML in `values`. Throws for unknown placeholders. */
export function fillPlaces(html: string, values: Readonly<Record<string, string>>): string {
  // Prevents a line break between the sign § and its number.
  return html.replaceAll('§ ', '§\u00a0').replace(/\{([a-z][a-z-]*)\}/g, (found, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The text has the unknown placeholder ${found}`);
    return value;
  });
}

/** Splits a page's text at its sections. A piece with a `name` is a section. */
export function piecesOf(html: string) {
  return html
    .split(/(<p>\{[a-z-]+(?::[\w-]+)?\}<\/p>)/)
    .filter((piece) => piece.trim() !== '')
    .map((piece) => {
      const [, name, argument] = /^<p>\{([a-z-]+):?([\w-]*)\}<\/p>$/.exec(piece) ?? [];
      return { html: piece, name, argument };
    });
}
