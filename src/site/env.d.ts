/// <reference types="astro/client" />

declare namespace App {
  /** What every page is rendered from, beside its address; given by the server (astro-pages.ts). */
  interface Locals {
    readonly site: import('../contract/site-settings.ts').SiteSettings;
    readonly surveys: readonly import('../flows/surveys.ts').Survey[];
    readonly experiments: readonly import('../flows/experiments.ts').Experiment[];
    /** The calendar that "today" is taken from. */
    readonly timeZone: string;
    /** The site's address without a slash at its end. */
    readonly origin: string;
    readonly fallbackBuyers: readonly import('../domain/buyer-choice.ts').Buyer[];
    /** Whether pages show marked examples and placeholders: not on a live site. */
    readonly showsExamples: boolean;
    /** For how many days what is kept. */
    readonly keep: Readonly<
      Record<
        'visits' | 'leads' | 'clicks' | 'attempts' | 'consents' | 'requests' | 'checks',
        number
      >
    >;
  }
}
