/**
 * What the build says of the pages and the server reads (`dist/page-manifest.json`). Each page declares it
 * itself, in its own file: `export const page = { … } satisfies PageDeclaration`. Nothing else lists pages.
 */

import type { Language } from '../domain/language.ts';

/** Addresses that no page can know of itself. */
export const pagePlaces = ['surveys', 'thank-you', 'not-found', 'preview'] as const;
/**
 * - `surveys`: the path of every survey of the table.
 * - `thank-you`: every thank-you path of the table.
 * - `not-found`: whatever has no page.
 * - `preview`: at its file's own path, and not where `NODE_ENV` is `production`.
 */
export type PagePlace = (typeof pagePlaces)[number];

/** What a page says of itself; a page that says nothing stands at its file's path and reads nothing. */
export type PageDeclaration = {
  /** Where it stands; not said: at its file's path. Paths are canonical, as they are linked. */
  readonly at?: PagePlace | readonly string[];
  /** Query parameters that it reads, each with the values that it knows; all others never reach it. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it says if the browser sends the opt-out signal (`Sec-GPC`); it is kept once for each then. */
  readonly saysSignal?: true;
  /** The form that it has, which a browser posts to its own address; not said: none. */
  readonly form?: PageForm;
};

export type PageForm = { readonly name: 'contact' | 'do-not-sell'; readonly language: Language };

/** One page of the build. */
export type PageEntry = Required<Omit<PageDeclaration, 'form' | 'saysSignal'>> & {
  readonly saysSignal?: true;
  readonly form?: PageForm;
  /** Whether it loads call tracking where that is set. */
  readonly tracksCalls?: true;
  /** The path that its file has, from which it is rendered where it does not stand there. */
  readonly source: string;
};

/**
 * The fragments of a thank-you page, which no server or log sees: the lead was sent by a form, or with no law
 * firm chosen (docs/specification.md#later-choice).
 */
export const thankYouFragments = { sent: 'sent', noFirm: 'no-firm' } as const;

/**
 * Returns the fragment that opens the next steps of one state on a thank-you page without scripts.
 *
 * @param code two letters, for example `TX`
 */
export const stateFragment = (code: string) => `state-${code}`;

/** The fragments to which a form that sent a lead leads. */
export const formFragments = /^(sent|no-firm|state-[A-Z]{2})$/;

/** Whether a form that sent a lead leads to this fragment. */
export function isFormFragment(fragment: string | null): fragment is string {
  return fragment !== null && formFragments.test(fragment);
}

/** Query parameters that the server alone gives to a page; a visitor's are never passed on. */
export const ownQuery = {
  /** The address that a page is rendered for which stands at several. */
  at: '_at',
  /** `1`: for a browser that sends the opt-out signal. */
  signal: '_signal',
  /** `1`: with marks in place of what was typed (`contract/form-marks.ts`). */
  marks: '_marks',
  /** The language of the page that says that there is none. */
  language: '_language',
  /**
   * The fragment of a thank-you page that was reached by a form: the server takes the personal values out of
   * its query.
   */
  form: '_form',
  /** The look of a thank-you page to which surveys of several looks lead. */
  look: '_look',
  /** The variant of its survey's experiments. */
  variant: '_variant',
} as const;
