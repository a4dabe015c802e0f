import type { Language } from '../domain/language.ts';
import type { PageId } from './site-map.ts';

/** Where something that a page states can be looked up. */
export type Source = { readonly name: string; readonly url?: string };

/** What stands above the text of a file in `content/pages/`. */
export type Frontmatter = {
  /** The page's heading. */
  readonly title: string;
  /** The title in tabs and search results, where it is another. */
  readonly metaTitle?: string;
  readonly description: string;
  /** The paragraph under the heading. */
  readonly lead: string;
  /** The day on which the page was last checked, `2026-11-22`. */
  readonly checked: string;
  readonly sources?: readonly Source[];
  /** Which pages to read next. */
  readonly next: readonly PageId[];
};

export type Heading = { readonly depth: number; readonly slug: string; readonly text: string };

/** A page's text. Its `{places}` are filled when the page is rendered (`places.ts`). */
export type Content = {
  readonly frontmatter: Frontmatter;
  readonly html: string;
  readonly headings: readonly Heading[];
};

type MarkdownModule = {
  readonly frontmatter: Frontmatter;
  compiledContent(): Promise<string>;
  getHeadings(): Heading[];
};

const files = import.meta.glob<MarkdownModule>('../../content/pages/*/*.md', { eager: true });

/**
 * The text of a page in a language.
 *
 * @throws when there is none
 */
export async function contentOf(page: PageId, language: Language): Promise<Content> {
  const file = files[`../../content/pages/${language}/${page}.md`];
  if (!file) throw new Error(`There is no text of ${page} in ${language}`);
  return {
    frontmatter: file.frontmatter,
    // A section sign stays with its number.
    html: (await file.compiledContent()).replaceAll('§ ', '§\u00a0'),
    headings: file.getHeadings(),
  };
}
