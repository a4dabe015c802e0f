/**
 * Types of the list of pages, which the build writes and the server reads (`dist/page-manifest.json`). A page or
 * its layout declares its entry: `export const page = { … } satisfies PageDeclaration`.
 */

import type { Language } from '../fields/language.ts';

/** A group of paths that are configured outside the page's file. */
type PagePlace =
  | 'surveys' // the path of every survey
  | 'thank-you' // every thank-you path of the surveys
  | 'not-found' // every path without a page
  | 'preview'; // the path of the page's file, if the server serves previews

/** A page's declaration of how the server serves it. */
export type PageDeclaration = {
  /** The page's canonical paths. Default: the path of its file. */
  readonly at?: PagePlace | readonly string[];
  /** The query parameters that the page reads, with their allowed values. The server drops all others. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The page depends on the opt-out signal (`Sec-GPC`), so the server caches it with and without. */
  readonly saysSignal?: true;
  /** The form that browsers post to the page's own path. Default: none. */
  readonly form?: PageForm['name'];
};

export type PageForm = { readonly name: 'contact' | 'do-not-sell'; readonly language: Language };

/** A page of the build. */
export type PageEntry = Required<Omit<PageDeclaration, 'form' | 'saysSignal'>> & {
  readonly saysSignal?: true;
  readonly form?: PageForm;
  /** The path of the page's file, by which the server requests the page from the renderer. */
  readonly source: string;
};

/** URL fragments of a thank-you page (docs/specification.md#later-choice). Browsers send them to no server. */
export const thankYouFragments = { sent: 'sent', noFirm: 'no-firm' } as const;

/**
 * Returns the URL fragment that opens the next steps of one state on a thank-you page without JavaScript.
 *
 * @param code two-letter code, for example `TX`
 */
export const stateFragment = (code: string) => `state-${code}`;

/** Matches the fragments to which the server redirects after a lead without JavaScript. */
export const formFragments = /^(sent|no-firm|state-[A-Z]{2})$/;

/** Query parameters that only the server may set when it renders a page. */
export const ownQuery = {
  /** The path to render, if the page has several paths. */
  at: '_at',
  /** `1`: the browser sends the opt-out signal. */
  signal: '_signal',
  /** `1`: render marks in place of typed values (`form-marks.ts`). */
  marks: '_marks',
  /** The language of the not-found page. */
  language: '_language',
  /** The fragment of a thank-you page that a form without JavaScript led to. */
  form: '_form',
  /** The look of a thank-you page, if surveys with several looks share the page. */
  look: '_look',
  /** The experiment variant of the survey. */
  variant: '_variant',
} as const;
