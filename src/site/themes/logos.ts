import type { LogoName } from '../../domain/look.ts';

/**
 * What each logo sets of the name beside its mark (src/survey/page/logo.tsx); colours come from the theme.
 * Not named: nothing.
 */
export const logos: Readonly<Partial<Record<LogoName, string>>> = {
  word:
    '--logo-font:var(--font-heading);--logo-size:1.1875rem;--logo-tracking:var(--tracking-heading);' +
    '--logo-rule:0.16em;',
};
