/**
 * The list of pages, which the build writes to `dist/page-manifest.json` and the server reads. A page declares its
 * entry by `export const page = { … } satisfies PageDeclaration`.
 */

import type { Language } from '../fields/language.ts';

/** A group of paths. The surveys or the server decide which paths it has. */
type PagePlace =
  | 'surveys' // the path of every survey
  | 'thank-you' // every thank-you path of the surveys
  | 'not-found' // every path without a page
  | 'preview'; // the path of the page's file, if the server serves previews

/** A page's declaration: its paths, query parameters, headers and form. */
export type PageDeclaration = {
  /** The page's paths. Default: the path of its file. */
  readonly at?: PagePlace | readonly string[];
  /** The query parameters that the page reads, with their allowed values. The server removes all others. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the page's text depends on the opt-out signal (`Sec-GPC`). */
  readonly saysSignal?: true;
  /** The form that browsers post to this page. */
  readonly form?: PageForm['name'];
};

export type PageForm = { readonly name: 'contact' | 'do-not-sell'; readonly language: Language };

/** An entry of the list of pages. */
export type PageEntry = Required<Omit<PageDeclaration, 'form' | 'saysSignal'>> & {
  readonly saysSignal?: true;
  readonly form?: PageForm;
  /** Path at which the server requests the page from the renderer. */
  readonly source: string;
};

/** URL fragments that select a text on a thank-you page (docs/specification.md#later-choice). */
export const thankYouFragments = { sent: 'sent', noFirm: 'no-firm' } as const;

/** Returns the URL fragment that selects a state's next steps. @param code two-letter code of the state */
export const stateFragment = (code: string) => `state-${code}`;

/** Matches the URL fragments to which the server redirects a form without JavaScript. */
export const formFragments = /^(sent|no-firm|state-[A-Z]{2})$/;

/** Query parameters with which the server requests a page from the renderer. Browsers cannot set them. */
export const ownQuery = {
  /** The path to render, for a page with several paths. */
  at: '_at',
  /** `1`: the browser sends the opt-out signal. */
  signal: '_signal',
  /** `1`: render marks in place of posted values (`form-marks.ts`). */
  marks: '_marks',
  /** Language of the not-found page. */
  language: '_language',
  /** URL fragment of a thank-you page after a form without JavaScript. */
  form: '_form',
  /** Look of a thank-you page, encoded by `lookName`. */
  look: '_look',
  /** Experiment variants of the survey. */
  variant: '_variant',
} as const;
