export type Point = { readonly title: string; readonly text: string };

/** The guides to which the home page links. */
export type HomeGuide = 'timeline' | 'settlements' | 'filing-claim';

/** A person's statement about the site. */
export type Testimonial = {
  readonly quote: string;
  /** The person's first name and US state. */
  readonly from: string;
};

/** The texts of the home page. `{company}` stands for the company's name. */
export type HomeWords = {
  readonly metaTitle: string;
  readonly description: string;
  readonly heading: string;
  readonly lead: string;
  /** Says who will call the visitor, and why. */
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
  /** Says that the quotes are only examples. */
  readonly testimonialsExamples: string;
  readonly exampleLabel: string;
  readonly guidesTitle: string;
  readonly guidesLead: string;
  /** The cards that link to the guides. */
  readonly guides: Readonly<Record<HomeGuide, Point>>;
  readonly deadlineTitle: string;
  readonly deadlineText: string;
  readonly deadlineLink: string;
  readonly lastTitle: string;
  readonly lastText: string;
};
