/** A few words with a heading of their own. */
export type Point = { readonly title: string; readonly text: string };

/** The guides that the home page leads to. */
export type HomeGuide = 'timeline' | 'settlements' | 'filing-claim';

/** What somebody said of the site. */
export type Testimonial = {
  readonly quote: string;
  /** First name and state, as the person allowed it. */
  readonly from: string;
};

/** The words of the home page, one file a language. `{company}` is the site's name. */
export type HomeWords = {
  readonly metaTitle: string;
  readonly description: string;
  readonly heading: string;
  readonly lead: string;
  /** Under the first question: who calls, and why. */
  readonly promise: string;
  readonly questionLabel: string;
  readonly nextTitle: string;
  readonly nextLead: string;
  readonly next: readonly [Point, Point, Point];
  readonly whyTitle: string;
  readonly why: readonly [Point, Point, Point];
  readonly honestTitle: string;
  readonly honest: readonly string[];
  readonly honestLink: string;
  readonly testimonialsTitle: string;
  /** Said above quotes that nobody has said. */
  readonly testimonialsExamples: string;
  readonly exampleLabel: string;
  readonly guidesTitle: string;
  readonly guidesLead: string;
  /** What each card says, in the home page's language. The guides themselves are in English. */
  readonly guides: Readonly<Record<HomeGuide, Point>>;
  readonly deadlineTitle: string;
  readonly deadlineText: string;
  readonly deadlineLink: string;
  readonly lastTitle: string;
  readonly lastText: string;
};
