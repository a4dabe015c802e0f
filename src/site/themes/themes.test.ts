import { describe, expect, test } from 'vitest';
import { schemes, themeNames } from '../../domain/look.ts';
import { type ColourRole, colourRoles, type Palette } from './theme.ts';
import { themeCss } from './theme-css.ts';
import { themes } from './themes.ts';

/** What stands on what, and the least contrast of WCAG 2.2 AA: 4.5 for text (1.4.3), 3 for the rest (1.4.11). */
const texts: Partial<Record<ColourRole, readonly ColourRole[]>> = {
  text: ['ground', 'ground-deep', 'surface', 'tint', 'tint-deep', 'error-soft'],
  'text-quiet': ['ground', 'ground-deep', 'surface', 'tint'],
  'accent-text': ['ground', 'surface', 'tint', 'tint-deep'],
  'on-accent': ['accent', 'accent-hover'],
  'on-panel': ['panel', 'panel-deep'],
  'on-panel-quiet': ['panel', 'panel-deep'],
  error: ['ground', 'surface', 'error-soft'],
};
const shapes: Partial<Record<ColourRole, readonly ColourRole[]>> = {
  accent: ['ground', 'ground-deep', 'surface', 'tint'],
  'line-strong': ['ground', 'surface', 'tint'],
  focus: ['ground', 'surface', 'tint'],
  highlight: ['panel', 'panel-deep'],
};

/** Relative luminance of `#rrggbb` (WCAG 2.2), 0 to 1. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

function tooWeak(palette: Palette, pairs: typeof texts, least: number): string[] {
  return (Object.keys(pairs) as ColourRole[]).flatMap((front) =>
    (pairs[front] ?? [])
      .map((back) => [back, contrast(palette[front], palette[back])] as const)
      .filter(([, ratio]) => ratio < least)
      .map(([back, ratio]) => `${front} on ${back}: ${ratio.toFixed(2)} of ${least}`),
  );
}

test('the contrast of black on white is 21, and of a colour on itself 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#7a7a7a', '#7a7a7a')).toBe(1);
});

const looks = themeNames.flatMap((name) => schemes.map((scheme) => [name, scheme] as const));

describe.each(looks)('%s, %s', (name, scheme) => {
  const palette = themes[name].colours[scheme];
  test('every role has its colour', () => {
    expect(Object.keys(palette)).toEqual(colourRoles);
    for (const colour of Object.values(palette)) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
  });
  test('text and shapes are AA', () => {
    expect([...tooWeak(palette, texts, 4.5), ...tooWeak(palette, shapes, 3)]).toEqual([]);
  });
});

test('no two themes have the same colours, corners and type', () => {
  const characters = themeNames.map((name) => JSON.stringify(themes[name]));
  expect(new Set(characters).size).toBe(themeNames.length);
});

test('a theme is below its own name only, with the dark scheme by the visitor and by the attribute', () => {
  const css = themeCss('harbor');
  expect(css).toContain('[data-theme=harbor]{');
  expect(css).toContain('[data-theme=harbor]:not([data-scheme=light]){color-scheme:dark');
  expect(css).toContain('[data-theme=harbor][data-scheme=dark]{color-scheme:dark');
  expect(css).not.toContain('[data-theme=clay]');
});
