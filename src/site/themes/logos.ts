import type { LogoName } from '../../domain/look.ts';

/** Custom properties by which a logo changes the company's name beside its mark (src/survey/page/logo.tsx). */
export const logos: Readonly<Partial<Record<LogoName, string>>> = {
  word:
    '--logo-font:var(--font-heading);--logo-size:1.1875rem;--logo-tracking:var(--tracking-heading);' +
    '--logo-rule:0.16em;',
};
