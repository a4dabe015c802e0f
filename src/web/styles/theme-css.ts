import type { LogoName, Scheme, ThemeName } from '../../model/fields/look.ts';
import { derivePalette } from './palette.ts';
import { type AnswerStyle, themes } from './themes.ts';

/** The cascade layers. A rule in a later layer overrides all rules in earlier layers. */
const layers = '@layer reset,tokens,base,components,site,theme;';

const answers: Readonly<Record<AnswerStyle, string>> = {
  outlined: '--answer:var(--surface);--answer-edge:var(--line-strong);--answer-well:var(--tint);',
  ruled:
    '--answer:transparent;--answer-edge:transparent;--answer-rule:var(--line-strong);--answer-gap:0px;' +
    '--shadow:none;',
  raised:
    '--answer:var(--surface);--answer-edge:var(--line);--answer-well:var(--tint);' +
    '--answer-shadow:0 1px 2px rgb(20 30 40 / 0.08), 0 6px 16px -8px rgb(20 30 40 / 0.22);',
};

const compositions = import.meta.glob<string>('./compositions/*.css', {
  query: '?inline',
  import: 'default',
  eager: true,
});

/** Restyles the company's name for the logo `word`, which has no symbol. */
const wordLogo =
  '--logo-font:var(--font-heading);--logo-size:1.1875rem;--logo-tracking:var(--tracking-heading);' +
  '--logo-rule:0.16em;';

function colours(name: ThemeName, scheme: Scheme): string {
  const palette = Object.entries(derivePalette(themes[name].seeds, scheme));
  return `color-scheme:${scheme};${palette.map(([role, colour]) => `--${role}:${colour};`).join('')}`;
}

/** Returns the CSS of a page's theme and logo: heading face, shape, colours of both schemes. */
export function themeCss(name: ThemeName, logo: LogoName, faceCss: string): string {
  const { heading, corners, first } = themes[name];
  return (
    `${layers}${faceCss}@layer theme{:root{` +
    `--tracking-heading:${heading.tracking};--radius:${corners.control};--radius-card:${corners.card};` +
    `${first.answers ? answers[first.answers] : ''}` +
    `${logo === 'word' ? wordLogo : ''}${colours(name, 'light')}}` +
    `@media (prefers-color-scheme:dark){:root{${colours(name, 'dark')}}}}`
  );
}

/** Returns the CSS of a theme's own layout of the first screen, or ''. */
export function compositionCss(name: ThemeName): string {
  return compositions[`./compositions/${themes[name].first.composition}.css`] ?? '';
}
