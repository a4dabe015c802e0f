import type { Language } from '../fields/language.ts';

/** A name for several paths. */
type PagePlace =
  | 'surveys' // the path of every survey
  | 'thank-you' // every thank-you path of the surveys
  | 'not-found' // every path without a page
  | 'preview'; // the path of the page's file, if the server serves previews

/** The declaration that a page's file exports as `page`. */
export type PageDeclaration = {
  /** The paths of the page. Default: the path of its file. */
  readonly at?: PagePlace | readonly string[];
  /** The allowed query parameters and their values. The server removes all others. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the text of the page depends on the opt-out signal. */
  readonly saysSignal?: true;
  readonly form?: PageForm['name'];
};

export type PageForm = { readonly name: 'contact' | 'do-not-sell'; readonly language: Language };

export type PageEntry = Required<Omit<PageDeclaration, 'form' | 'saysSignal'>> & {
  readonly saysSignal?: true;
  readonly form?: PageForm;
  /** The path at which the server requests the rendered page. */
  readonly source: string;
};

/** URL fragments that select a text of the thank-you page (docs/specification.md#later-choice). */
export const thankYouFragments = { sent: 'sent', noFirm: 'no-firm' } as const;

/** Returns the URL fragment for a U.S. state. */
export const stateFragment = (code: string) => `state-${code}`;

/** Matches the URL fragments of a thank-you page after a form without JavaScript. */
export const formFragments = /^(sent|no-firm|state-[A-Z]{2})$/;

/** Query parameters between the server and the renderer, which browsers cannot set. */
export const ownQuery = {
  /** The path to render. */
  at: '_at',
  /** `1` if the browser sends the opt-out signal. */
  signal: '_signal',
  /** `1` to render marks (`form-marks.ts`). */
  marks: '_marks',
  language: '_language',
  /** The URL fragment after a form without JavaScript. */
  form: '_form',
  /** The theme and the logo of the page, as `lookName` encodes them. */
  look: '_look',
  variant: '_variant',
} as const;
