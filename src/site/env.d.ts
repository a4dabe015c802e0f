/// <reference types="astro/client" />

declare namespace App {
  /** What every page is rendered from, beside its address; given by the server (astro-pages.ts). */
  interface Locals {
    readonly site: import('../contract/site-settings.ts').SiteSettings;
    readonly surveys: readonly import('../flows/surveys.ts').Survey[];
    /** The calendar that "today" is taken from. */
    readonly timeZone: string;
  }
}
