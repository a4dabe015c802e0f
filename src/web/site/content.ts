import type { MarkdownHeading, MarkdownInstance } from 'astro';
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

/**
 * A page's text, with placeholders that are filled when the page is rendered. In a sentence, HTML replaces `{name}`.
 * Alone in a paragraph, a section replaces `{name}` or `{name:argument}`.
 */
export type Content = {
  readonly frontmatter: Frontmatter;
  readonly html: string;
  readonly headings: readonly MarkdownHeading[];
};

const files = import.meta.glob<MarkdownInstance<Frontmatter>>('../../../content/pages/*/*.md', {
  eager: true,
});

/** Returns the text of a page. Throws if it is missing in that language. */
export async function contentOf(page: PageId, language: Language): Promise<Content> {
  const file = files[`../../../content/pages/${language}/${page}.md`];
  if (!file) throw new Error(`content/pages/${language}/${page}.md is missing`);
  return {
    frontmatter: file.frontmatter,
    // Prevents a line break between a section sign and its number.
    html: (await file.compiledContent()).replaceAll('§ ', '§\u00a0'),
    headings: file.getHeadings(),
  };
}

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

/** A part of a page's text: HTML, or a section to insert. */
type Piece = { readonly html: string } | { readonly section: string; readonly argument?: string };

/** Splits a page's text at its sections. */
export function piecesOf(html: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of html.matchAll(section)) {
    const [whole, name = '', argument = ''] = match;
    pieces.push({ html: html.slice(at, match.index) }, { section: name, argument });
    at = match.index + whole.length;
  }
  pieces.push({ html: html.slice(at) });
  return pieces.filter((piece) => !('html' in piece) || piece.html.trim() !== '');
}
