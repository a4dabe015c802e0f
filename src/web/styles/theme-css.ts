import type { LogoName, Scheme, ThemeName } from '../../model/fields/look.ts';
import bandCss from './compositions/band.css?inline';
import openCss from './compositions/open.css?inline';
import tilesCss from './compositions/tiles.css?inline';
import type { FaceOfPage } from './faces.ts';
import { derivePalette } from './palette.ts';
import { type AnswerStyle, type Composition, themes } from './themes.ts';

/** The cascade layers. A later layer wins, whatever its selectors. */
const layers = '@layer reset,tokens,base,components,site,theme;';

const answers: Readonly<Record<AnswerStyle, string>> = {
  tinted: '',
  outlined: '--answer:var(--surface);--answer-edge:var(--line-strong);--answer-well:var(--tint);',
  ruled:
    '--answer:transparent;--answer-edge:transparent;--answer-rule:var(--line-strong);--answer-gap:0px;' +
    '--shadow:none;',
  raised:
    '--answer:var(--surface);--answer-edge:var(--line);--answer-well:var(--tint);' +
    '--answer-shadow:0 1px 2px rgb(20 30 40 / 0.08), 0 6px 16px -8px rgb(20 30 40 / 0.22);',
};

const compositions: Readonly<Record<Composition, string>> = {
  sheet: '',
  band: bandCss,
  open: openCss,
  tiles: tilesCss,
};

/** Custom properties that change the company's name beside a logo's mark (src/web/survey/page/survey-page.tsx). */
const logos: Readonly<Partial<Record<LogoName, string>>> = {
  word:
    '--logo-font:var(--font-heading);--logo-size:1.1875rem;--logo-tracking:var(--tracking-heading);' +
    '--logo-rule:0.16em;',
};

function colours(name: ThemeName, scheme: Scheme): string {
  const palette = Object.entries(derivePalette(themes[name].seeds, scheme));
  return `color-scheme:${scheme};${palette.map(([role, colour]) => `--${role}:${colour};`).join('')}`;
}

/**
 * Returns a theme's custom properties: face, shape, and colours in both schemes. They apply within its `[data-theme]`;
 * `[data-scheme]` overrides the visitor's scheme.
 */
export function themeCss(name: ThemeName, face: FaceOfPage): string {
  const { heading, corners, first } = themes[name];
  const at = `[data-theme=${name}]`;
  const dark = colours(name, 'dark');
  return (
    `${layers}${face.css}@layer theme{` +
    `${at}{--font-heading:${face.family};--font-heading-first:${face.first};--tracking-heading:${heading.tracking};` +
    `--radius:${corners.control};--radius-card:${corners.card};${answers[first.answers ?? 'tinted']}${colours(name, 'light')}}` +
    `@media (prefers-color-scheme:dark){${at}:not([data-scheme=light]){${dark}}}` +
    `${at}[data-scheme=dark]{${dark}}}`
  );
}

/** Returns the rules of a theme's composition of the first screen, or ''. */
export function compositionCss(name: ThemeName): string {
  return compositions[themes[name].first.composition ?? 'sheet'];
}

/** Returns the rules of a logo, within `[data-logo]` of its name, or ''. */
export function logoCss(name: LogoName): string {
  const set = logos[name];
  return set ? `@layer theme{[data-logo=${name}]{${set}}}` : '';
}
