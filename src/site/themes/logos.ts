import type { LogoName } from '../../domain/look.ts';

/** A drawing on a field of 32 by 32, as a mask: what is drawn shows the colour of its element. */
function mask(shapes: string): string {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${shapes}</svg>`;
  return `url("data:image/svg+xml,${svg.replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('#', '%23')}")`;
}

/** The mark in its two colours: `body` in the strong one, `spark` in the warm one. */
function mark(body: string, spark: string): string {
  return `--mark:${mask(body)};--mark-spark:${mask(spark)};`;
}

/**
 * What each logo sets: its drawing, and the type of the name beside it. Colours come from the theme.
 * A steady hand on the wheel, a road into the morning, a bridge, a milestone; or the name alone.
 */
export const logos: Readonly<Record<LogoName, string>> = {
  road: mark(
    "<path d='M2 16a14 14 0 0 1 28 0c0 3.4-1.2 6.5-3.2 9L19.2 16h-6.400L5.2 25A14 14 0 0 1 2 16zM7.3 27 13 19.500h6L24.7 27A14 14 0 0 1 16 30a14 14 0 0 1-8.7-3z'/>",
    "<circle cx='16' cy='10.5' r='3.5'/>",
  ),
  wheel: mark(
    "<path fill-rule='evenodd' d='M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28zm0 4A10 10 0 0 0 6.2 14h19.600A10 10 0 0 0 16 6zM6 17.500A10 10 0 0 0 14 25.800v-3.500c0-3-2-4.8-5-4.800zm12 8.300a10 10 0 0 0 8-8.300h-3c-3 0-5 1.8-5 4.800z'/>",
    "<circle cx='16' cy='17.5' r='2.2'/>",
  ),
  arch: mark(
    "<path d='M2 27V19a14 14 0 0 1 28 0v8h-5v-8a9 9 0 0 0-18 0v8z'/>",
    "<path d='M11 27v-8a5 5 0 0 1 10 0v8z'/>",
  ),
  marker: mark(
    "<path fill-rule='evenodd' d='M16 2a11 11 0 0 1 11 11c0 7.5-6.5 12.5-11 17C11.5 25.5 5 20.5 5 13A11 11 0 0 1 16 2zm0 5.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z'/>",
    "<circle cx='16' cy='13' r='3'/>",
  ),
  word:
    '--mark-size:0rem;--mark-gap:0rem;--logo-font:var(--font-heading);--logo-size:1.1875rem;' +
    '--logo-tracking:var(--tracking-heading);--logo-rule:0.16em;',
};
