/**
 * The list of pages that the build writes and the server reads (`dist/page-manifest.json`). A page or its layout
 * declares how it is served: `export const page = { … } satisfies PageDeclaration`.
 */

import type { Language } from '../fields/language.ts';

/** A group of addresses that a page cannot know from its own file. */
type PagePlace =
  | 'surveys' // the path of every survey in the table
  | 'thank-you' // every thank-you path in the table
  | 'not-found' // every address without a page
  | 'preview'; // the path of the page's file, where the preview is served

/** How a page is served. */
export type PageDeclaration = {
  /** The page's canonical addresses. Default: its file's path. */
  readonly at?: PagePlace | readonly string[];
  /** The query parameters that the page reads, with their known values. The server drops all others. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the page depends on the opt-out signal (`Sec-GPC`). If so, it is cached once with and once without. */
  readonly saysSignal?: true;
  /** The form that browsers post to the page's own address. Default: none. */
  readonly form?: PageForm['name'];
};

export type PageForm = { readonly name: 'contact' | 'do-not-sell'; readonly language: Language };

/** One page of the build. */
export type PageEntry = Required<Omit<PageDeclaration, 'form' | 'saysSignal'>> & {
  readonly saysSignal?: true;
  readonly form?: PageForm;
  /** The path of the page's file. The renderer asks for it if the page has another address. */
  readonly source: string;
};

/** Fragments of a thank-you page (docs/specification.md#later-choice), which reach no server or log. */
export const thankYouFragments = { sent: 'sent', noFirm: 'no-firm' } as const;

/**
 * Returns the fragment that opens the next steps of one state on a thank-you page without scripts.
 *
 * @param code two letters, for example `TX`
 */
export const stateFragment = (code: string) => `state-${code}`;

/** Matches the fragments that the server redirects to after a form sent a lead. */
export const formFragments = /^(sent|no-firm|state-[A-Z]{2})$/;

/** Query parameters that only the server sets when it renders a page; it drops a visitor's. */
export const ownQuery = {
  /** The address to render, if the page has several. */
  at: '_at',
  /** `1`: the browser sends the opt-out signal. */
  signal: '_signal',
  /** `1`: render marks in place of the typed values (`form-marks.ts`). */
  marks: '_marks',
  /** The language of the not-found page. */
  language: '_language',
  /** The fragment of a thank-you page that a form led to. The server then removes personal values by a redirect. */
  form: '_form',
  /** The look of a thank-you page that surveys of several looks share. */
  look: '_look',
  /** The experiment variant of the survey. */
  variant: '_variant',
} as const;
