import { describe, expect, test } from 'vitest';
import { schemes, themeNames } from '../../model/fields/look.ts';
import { type ColourRole, derivePalette, type Palette } from './palette.ts';
import { themes } from './themes.ts';

/** Maps each text colour to the backgrounds on which it must be readable. */
const texts: Partial<Record<ColourRole, readonly ColourRole[]>> = {
  text: ['ground', 'ground-deep', 'surface', 'tint', 'tint-deep', 'error-soft'],
  'text-quiet': ['ground', 'ground-deep', 'surface', 'tint'],
  'accent-text': ['ground', 'surface', 'tint', 'tint-deep'],
  'on-accent': ['accent', 'accent-hover'],
  'on-panel': ['panel', 'panel-deep', 'art-far'],
  'on-panel-quiet': ['panel', 'panel-deep'],
  error: ['ground', 'surface', 'error-soft'],
};
const shapes: Partial<Record<ColourRole, readonly ColourRole[]>> = {
  accent: ['ground', 'ground-deep', 'surface', 'tint'],
  'line-strong': ['ground', 'surface', 'tint'],
  focus: ['ground', 'surface', 'tint'],
  highlight: ['panel', 'panel-deep'],
  'art-light': ['art-near'],
  'art-sun': ['art-near'],
};

/** Returns red, green and blue of `#rrggbb`, each from 0 to 1. */
function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
}

/** Returns the relative luminance of `#rrggbb` (WCAG 2.2), from 0 to 1. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
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

const looks = themeNames.flatMap((name) => schemes.map((scheme) => [name, scheme] as const));

describe.each(looks)('a palette of the theme %s', (name, scheme) => {
  const palette = derivePalette(themes[name].seeds, scheme);
  test('has a colour for every role', () => {
    for (const colour of Object.values(palette)) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
  });
  test('has the contrast that WCAG AA requires', () => {
    expect([...tooWeak(palette, texts, 4.5), ...tooWeak(palette, shapes, 3)]).toEqual([]);
  });
});

test('every dark colour scheme has an accent colour that is not grey', () => {
  for (const { seeds } of Object.values(themes)) {
    const { accent } = derivePalette(seeds, 'dark');
    const [r, g, b] = channels(accent) as [number, number, number];
    expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeGreaterThan(0.15);
  }
});

test('text on the drawing of the layout “band” has the contrast that WCAG AA requires', () => {
  for (const { seeds, first } of Object.values(themes)) {
    if (first.composition !== 'band') continue;
    for (const scheme of schemes) {
      const palette = derivePalette(seeds, scheme);
      const onBand = { 'on-panel': ['art-near'], highlight: ['art-near'] } as const;
      expect(tooWeak(palette, onBand, 4.5)).toEqual([]);
    }
  }
});
