import { clampChroma, formatHex, wcagContrast } from 'culori';
import type { Scheme } from '../../model/fields/look.ts';
import type { Oklch, Seeds } from './themes.ts';

/** The colours of a scheme by role. Each role is also the name of a custom property. */
export type Palette = ReturnType<typeof derivePalette>;
export type ColourRole = keyof Palette;

/** Chroma up to which a colour counts as grey. */
const GREY_CHROMA = 0.05;
/** Minimum contrast of text. WCAG AA requires 4.5, and rounding can lower a contrast. */
const TEXT_CONTRAST = 4.6;

function hex([l, c, h]: Oklch): string {
  return formatHex(clampChroma({ mode: 'oklch', l, c, h }, 'oklch')) as string;
}

/** Returns a colour moved towards black or white until it contrasts with every background. */
function readableOn(grounds: readonly string[], [l, c, h]: Oklch, towards: 0 | 1): string {
  const step = towards === 1 ? 0.01 : -0.01;
  for (let lightness = l; lightness > 0 && lightness < 1; lightness += step) {
    const colour = hex([lightness, c, h]);
    if (grounds.every((ground) => wcagContrast(colour, ground) >= TEXT_CONTRAST)) return colour;
  }
  return towards === 1 ? '#ffffff' : '#000000';
}

/** Derives every colour of a scheme, written as `#rrggbb`, from a theme's seeds. */
export function derivePalette(seeds: Seeds, scheme: Scheme) {
  const isDark = scheme === 'dark';
  const { accent, panel, spark } = seeds;
  const paper = (l: number, times: number): Oklch => [l, seeds.paper[1] * times, seeds.paper[2]];
  const tint = (l: number, times: number): Oklch => [l, seeds.tint[1] * times, seeds.tint[2]];

  const ground = hex(isDark ? paper(0.185, 1.5) : paper(0.968, 1));
  const groundDeep = hex(isDark ? paper(0.26, 1.7) : paper(0.915, 1.35));
  const surface = hex(isDark ? paper(0.23, 1.4) : paper(1, 0));
  const tintHex = hex(isDark ? tint(0.29, 1.6) : tint(0.95, 1));
  const tintDeep = hex(isDark ? tint(0.37, 2.2) : tint(0.89, 2));

  const [, accentChroma, accentHue] = isDark && accent[1] < GREY_CHROMA ? spark : accent;
  const strong: Oklch = isDark ? [0.8, Math.min(0.13, accentChroma), accentHue] : accent;
  const strongHover: Oklch = [strong[0] + (isDark ? 0.06 : -0.07), strong[1], strong[2]];

  const isPanelLight = !isDark && panel[0] > 0.6;
  const [l, c, h]: Oklch = isDark ? [0.28, Math.min(0.06, panel[1]), panel[2]] : panel;
  const shade = (by: number, times = 1): Oklch => [l + by, c * times, h];
  const panelHex = hex(shade(0));
  const panelDeep = hex(shade(isPanelLight ? -0.06 : -0.08, 0.9));
  const far = hex(shade(isPanelLight ? -0.08 : 0.09));

  return {
    ground,
    'ground-deep': groundDeep,
    surface,
    tint: tintHex,
    'tint-deep': tintDeep,
    text: hex(isDark ? paper(0.95, 0.6) : paper(0.25, 2)),
    'text-quiet': hex(isDark ? paper(0.79, 1.2) : paper(0.44, 2)),
    line: hex(isDark ? paper(0.35, 1.7) : paper(0.885, 1.2)),
    'line-strong': hex(isDark ? paper(0.63, 1.8) : paper(0.59, 2)),
    accent: hex(strong),
    'accent-hover': hex(strongHover),
    'on-accent': isDark ? hex([0.18, 0.03, accentHue]) : '#ffffff',
    'accent-text': readableOn(
      [ground, surface, tintHex, tintDeep],
      isDark ? [0.86, strong[1], strong[2]] : [strong[0] - 0.03, strong[1], strong[2]],
      isDark ? 1 : 0,
    ),
    panel: panelHex,
    'panel-deep': panelDeep,
    'on-panel': hex(isPanelLight ? [0.2, 0.02, panel[2]] : [0.97, 0.01, panel[2]]),
    'on-panel-quiet': readableOn(
      [panelHex, panelDeep, far],
      isPanelLight ? [0.32, 0.04, panel[2]] : [0.86, 0.03, panel[2]],
      isPanelLight ? 0 : 1,
    ),
    highlight: hex(isPanelLight ? [0.5, spark[1], spark[2]] : spark),
    error: isDark ? '#ffb4a8' : '#b3261e',
    'error-soft': isDark ? '#3d1c19' : '#fdf0ee',
    focus: isDark ? '#9cc2ff' : '#1355c4',
    'art-far': far,
    'art-mid': hex(shade(isPanelLight ? -0.2 : -0.03, 1.1)),
    'art-near': hex(isPanelLight ? [0.36, panel[1] * 0.6, panel[2]] : shade(-0.1, 0.85)),
    'art-sun': hex(isPanelLight ? [0.72, spark[1], spark[2]] : spark),
    'art-light': hex([0.97, 0.01, panel[2]]),
  };
}
