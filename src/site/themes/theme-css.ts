import type { LogoName, Scheme, ThemeName } from '../../domain/look.ts';
import { headingFace } from './faces.ts';
import { logos } from './logos.ts';
import { type AnswerStyle, colourRoles, type Palette } from './theme.ts';
import { themes } from './themes.ts';

/** The order of the cascade: what comes later wins, whatever its selectors. */
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

function colours(scheme: Scheme, palette: Palette): string {
  const roles = colourRoles.map((role) => `--${role}:${palette[role]};`).join('');
  return `color-scheme:${scheme};${roles}`;
}

/**
 * The style sheet of one theme: its face, its shape and its colours in both schemes. It takes effect
 * below `[data-theme]` of its name, so a page may hold several; `[data-scheme]` overrides the visitor's
 * own scheme.
 */
export function themeCss(name: ThemeName): string {
  const { heading, radius, cardRadius, answers: style, colours: palettes } = themes[name];
  const face = headingFace(heading.face);
  const at = `[data-theme=${name}]`;
  const dark = colours('dark', palettes.dark);
  return (
    `${layers}${face.css}@layer theme{` +
    `${at}{--font-heading:${face.family};--font-heading-first:${face.first};--font-heading-later:${face.later};` +
    `--weight-heading:${heading.weight};--tracking-heading:${heading.tracking};` +
    `--radius:${radius};--radius-card:${cardRadius};${answers[style]}${colours('light', palettes.light)}}` +
    `@media (prefers-color-scheme:dark){${at}:not([data-scheme=light]){${dark}}}` +
    `${at}[data-scheme=dark]{${dark}}}`
  );
}

/** The style sheet of one logo, below `[data-logo]` of its name; '' where it sets nothing. */
export function logoCss(name: LogoName): string {
  const set = logos[name];
  return set ? `@layer theme{[data-logo=${name}]{${set}}}` : '';
}
