import type { MarkdownInstance } from 'astro';
import type { Language } from '../../model/fields/language.ts';
import type { PageId } from './site-map.ts';

/** The front matter of a file in `content/pages/`. */
type Frontmatter = {
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

/** Returns a page's text. Throws if the page does not exist in the language. */
export function contentOf(page: PageId, language: Language): MarkdownInstance<Frontmatter> {
  const file = files[`../../../content/pages/${language}/${page}.md`];
  if (!file) throw new Error(`content/pages/${language}/${page}.md is missing`);
  return file;
}

/** Replaces each `{name}` in a text by the HTML `values[name]`. Throws for an unknown name. */
export function fillPlaces(html: string, values: Readonly<Record<string, string>>): string {
  // A non-breaking space prevents a line break between § and its number.
  return html.replaceAll('§ ', '§\u00a0').replace(/\{([a-z][a-z-]*)\}/g, (found, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The text has the unknown placeholder ${found}`);
    return value;
  });
}

/** Splits a page's HTML at paragraphs that are a placeholder, such as `<p>{sponsors}</p>`. */
export function piecesOf(html: string) {
  return html
    .split(/(<p>\{[a-z-]+(?::[\w-]+)?\}<\/p>)/)
    .filter((piece) => piece.trim() !== '')
    .map((piece) => {
      const [, name, argument] = /^<p>\{([a-z-]+):?([\w-]*)\}<\/p>$/.exec(piece) ?? [];
      return { html: piece, name, argument };
    });
}

/** Returns props that insert trusted HTML, compiled from our own Markdown by the build. */
export function asHtml(html: string) {
  return { dangerouslySetInnerHTML: { __html: html } };
}
