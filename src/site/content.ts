import type { Language } from '../domain/language.ts';
import type { PageId } from './site-map.ts';

/** A source of a page's statements. */
export type Source = { readonly name: string; readonly url?: string };

/** The front matter of a file in `content/pages/`. */
type Frontmatter = {
  readonly title: string;
  /** The title in tabs and search results. Default: `title`. */
  readonly metaTitle?: string;
  readonly description: string;
  /** The paragraph under the heading. */
  readonly lead: string;
  /** The day on which the page was last checked, `2026-11-22`. */
  readonly checked: string;
  readonly sources?: readonly Source[];
  /** Suggested further pages. */
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

/** Returns the text of a page. Throws if it is missing in that language. */
export async function contentOf(page: PageId, language: Language): Promise<Content> {
  const file = files[`../../content/pages/${language}/${page}.md`];
  if (!file) throw new Error(`content/pages/${language}/${page}.md is missing`);
  return {
    frontmatter: file.frontmatter,
    // No line break between a section sign and its number.
    html: (await file.compiledContent()).replaceAll('§ ', '§\u00a0'),
    headings: file.getHeadings(),
  };
}
