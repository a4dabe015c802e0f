/** A short text with a heading. */
export type Point = { readonly title: string; readonly text: string };

/** The guides to which the home page links. */
export type HomeGuide = 'timeline' | 'settlements' | 'filing-claim';

/** A person's statement about the site. */
export type Testimonial = {
  readonly quote: string;
  /** The first name and state that the person allowed us to print. */
  readonly from: string;
};

/** The texts of the home page, in one file per language. `{company}` stands for the company's name. */
export type HomeWords = {
  readonly metaTitle: string;
  readonly description: string;
  readonly heading: string;
  readonly lead: string;
  /** Below the first question: says who will call, and why. */
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
  /** Above invented quotes: says that they are examples. */
  readonly testimonialsExamples: string;
  readonly exampleLabel: string;
  readonly guidesTitle: string;
  readonly guidesLead: string;
  /** The card of each guide, in the home page's language. The guides themselves are in English. */
  readonly guides: Readonly<Record<HomeGuide, Point>>;
  readonly deadlineTitle: string;
  readonly deadlineText: string;
  readonly deadlineLink: string;
  readonly lastTitle: string;
  readonly lastText: string;
};
