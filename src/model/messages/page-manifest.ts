/** The list of pages, which the build writes to `dist/page-manifest.json` and the server reads. */

import type { Language } from '../fields/language.ts';

/** A group of paths, which the surveys or the server define. */
type PagePlace =
  | 'surveys' // the path of every survey
  | 'thank-you' // every thank-you path of the surveys
  | 'not-found' // every path without a page
  | 'preview'; // the path of the page's file, if the server serves previews

/** The paths, query parameters, headers and form that a page's file exports as `page`. */
export type PageDeclaration = {
  /** The page's paths. Default: the path of its file. */
  readonly at?: PagePlace | readonly string[];
  /** The page's query parameters with their allowed values. The server removes all others. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the page's text depends on the opt-out signal (`Sec-GPC`). */
  readonly saysSignal?: true;
  readonly form?: PageForm['name'];
};

export type PageForm = { readonly name: 'contact' | 'do-not-sell'; readonly language: Language };

export type PageEntry = Required<Omit<PageDeclaration, 'form' | 'saysSignal'>> & {
  readonly saysSignal?: true;
  readonly form?: PageForm;
  /** Path at which the server requests the page from the renderer. */
  readonly source: string;
};

/** URL fragments that select a text on a thank-you page (docs/specification.md#later-choice). */
export const thankYouFragments = { sent: 'sent', noFirm: 'no-firm' } as const;

/** Returns the URL fragment for the next steps in the U.S. state with this two-letter code. */
export const stateFragment = (code: string) => `state-${code}`;

/** Matches the URL fragments to which the server redirects a form without JavaScript. */
export const formFragments = /^(sent|no-firm|state-[A-Z]{2})$/;

/** Query parameters of the server's requests to the renderer. Browsers cannot set them. */
export const ownQuery = {
  /** The path to render, for a page with several paths. */
  at: '_at',
  /** `1`: the browser sends the opt-out signal. */
  signal: '_signal',
  /** `1`: render marks in place of posted values (`form-marks.ts`). */
  marks: '_marks',
  language: '_language',
  /** URL fragment of a thank-you page after a form without JavaScript. */
  form: '_form',
  /** Look of a thank-you page, encoded by `lookName`. */
  look: '_look',
  variant: '_variant',
} as const;
