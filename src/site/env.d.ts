/// <reference types="astro/client" />

declare namespace App {
  /** The inputs of every page besides its address, given by the server (astro-pages.ts). */
  interface Locals {
    readonly site: import('../contract/site-settings.ts').SiteSettings;
    readonly surveys: readonly import('../flows/surveys.ts').Survey[];
    readonly experiments: readonly import('../flows/experiments.ts').Experiment[];
    /** The time zone of "today". */
    readonly timeZone: string;
    /** The site's address without a trailing slash. */
    readonly origin: string;
    readonly fallbackBuyers: readonly import('../domain/buyer-choice.ts').Buyer[];
    /** Whether pages show marked examples and placeholders; false on a live site. */
    readonly showsExamples: boolean;
    /** Retention periods, in days. */
    readonly keep: Readonly<
      Record<
        'visits' | 'leads' | 'clicks' | 'attempts' | 'consents' | 'requests' | 'checks',
        number
      >
    >;
  }
}
