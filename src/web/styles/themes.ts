import type { LogoName, ProgressStyle, ThemeName } from '../../model/fields/look.ts';
import type { Flow } from '../../model/flows/engine/flow.ts';
import type { Survey } from '../../model/flows/surveys.ts';

/** A colour in OKLCH: lightness 0 to 1, chroma from 0, hue in degrees. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number];

export type AnswerStyle = 'outlined' | 'ruled' | 'raised';

/** One theme as data (docs/design.md#themes). */
type Theme = {
  /** The heading face is a file of `src/web/styles/fonts/` that no other theme uses. */
  readonly heading: { readonly face: string; readonly tracking: string };
  readonly corners: { readonly control: string; readonly card: string };
  /** The first screen of a survey. Defaults: the layout `sheet`, and tinted answers. */
  readonly first: {
    /** A drawing of `src/web/survey/page/art/`. */
    readonly scene: string;
    readonly composition?: 'band' | 'tiles' | 'open';
    readonly answers?: AnswerStyle;
  };
  /** The logo and progress style for surveys that name none. */
  readonly look: { readonly logo: LogoName; readonly progress?: ProgressStyle };
  readonly seeds: Seeds;
};

/** The seed colours of a theme, from which `palette.ts` derives the colour of every role. */
export type Seeds = ReturnType<typeof seeds>;

/** Reads seed colours, written as in CSS's oklch(). Paper and tint have no lightness. */
function seeds(paper: string, tint: string, accent: string, panel: string, spark: string) {
  const read = (text: string) => text.split(' ').map(Number) as unknown as Oklch;
  return {
    // The lightness 1 is a placeholder. Each colour role sets its own lightness.
    paper: read(`1 ${paper}`),
    tint: read(`1 ${tint}`),
    accent: read(accent),
    panel: read(panel),
    spark: read(spark),
  };
}

/** The themes. `palette.ts` derives their colours from the seeds. */
export const themes: Readonly<Record<ThemeName, Theme>> = {
  default: {
    heading: { face: 'newsreader', tracking: '-0.012em' },
    corners: { control: '0.875rem', card: '1.5rem' },
    first: { scene: 'road' },
    look: { logo: 'road' },
    seeds: seeds('0.008 116', '0.014 165', '0.42 0.08 178', '0.33 0.055 186', '0.8 0.125 68'),
  },
  harbor: {
    heading: { face: 'public-sans', tracking: '-0.022em' },
    corners: { control: '0.375rem', card: '0.625rem' },
    first: { scene: 'coast' },
    look: { logo: 'wheel', progress: 'stages' },
    seeds: seeds('0.006 245', '0.013 256', '0.4 0.12 258', '0.29 0.07 258', '0.8 0.12 45'),
  },
  clay: {
    heading: { face: 'fraunces', tracking: '-0.015em' },
    corners: { control: '1.25rem', card: '2rem' },
    first: { scene: 'mesa' },
    look: { logo: 'arch', progress: 'dots' },
    seeds: seeds('0.018 70', '0.02 60', '0.47 0.12 42', '0.86 0.07 62', '0.7 0.14 50'),
  },
  meadow: {
    heading: { face: 'bricolage', tracking: '-0.02em' },
    corners: { control: '1.5rem', card: '2rem' },
    first: { scene: 'meadow', composition: 'tiles' },
    look: { logo: 'arch', progress: 'percent' },
    seeds: seeds('0.011 138', '0.022 145', '0.45 0.12 145', '0.91 0.07 130', '0.75 0.14 65'),
  },
  dusk: {
    heading: { face: 'dm-serif', tracking: '0em' },
    corners: { control: '1rem', card: '1.25rem' },
    first: { scene: 'street', composition: 'band' },
    look: { logo: 'marker', progress: 'dots' },
    seeds: seeds('0.011 300', '0.015 305', '0.42 0.14 305', '0.34 0.11 300', '0.83 0.11 50'),
  },
  slate: {
    heading: { face: 'space-grotesk', tracking: '-0.03em' },
    corners: { control: '0.125rem', card: '0.25rem' },
    first: { scene: 'map', composition: 'open', answers: 'outlined' },
    look: { logo: 'word', progress: 'bar' },
    seeds: seeds('0.009 240', '0.009 238', '0.36 0.028 240', '0.3 0.018 242', '0.83 0.13 200'),
  },
  signal: {
    heading: { face: 'overpass', tracking: '-0.02em' },
    corners: { control: '0.5rem', card: '0.75rem' },
    first: { scene: 'highway', composition: 'tiles', answers: 'outlined' },
    look: { logo: 'marker', progress: 'stages' },
    seeds: seeds('0.005 95', '0.032 94', '0.24 0.012 92', '0.87 0.17 92', '0.84 0.16 90'),
  },
  wine: {
    heading: { face: 'lora', tracking: '-0.012em' },
    corners: { control: '0.5rem', card: '0.75rem' },
    first: { scene: 'vineyard', composition: 'band' },
    look: { logo: 'wheel', progress: 'stages' },
    seeds: seeds('0.009 18', '0.013 12', '0.4 0.13 8', '0.3 0.09 5', '0.83 0.11 85'),
  },
  lagoon: {
    heading: { face: 'nunito', tracking: '-0.012em' },
    corners: { control: '1.5rem', card: '1.75rem' },
    first: { scene: 'lagoon', composition: 'band', answers: 'raised' },
    look: { logo: 'marker', progress: 'dots' },
    seeds: seeds('0.012 213', '0.026 210', '0.46 0.09 224', '0.4 0.075 222', '0.88 0.12 165'),
  },
  paper: {
    heading: { face: 'playfair', tracking: '-0.015em' },
    corners: { control: '0rem', card: '0rem' },
    first: { scene: 'viaduct', composition: 'open', answers: 'ruled' },
    look: { logo: 'word', progress: 'bar' },
    seeds: seeds('0.008 87', '0.008 87', '0.33 0.09 265', '0.93 0.014 88', '0.66 0.17 32'),
  },
  sky: {
    heading: { face: 'outfit', tracking: '-0.02em' },
    corners: { control: '1.125rem', card: '1.5rem' },
    first: { scene: 'bridge', composition: 'tiles', answers: 'raised' },
    look: { logo: 'road', progress: 'percent' },
    seeds: seeds('0.016 236', '0.018 257', '0.46 0.165 258', '0.88 0.065 236', '0.74 0.16 48'),
  },
  ember: {
    heading: { face: 'archivo', tracking: '-0.02em' },
    corners: { control: '0.75rem', card: '1rem' },
    first: { scene: 'skyline', composition: 'band' },
    look: { logo: 'arch', progress: 'bar' },
    seeds: seeds('0.01 55', '0.016 67', '0.48 0.13 46', '0.25 0.015 50', '0.8 0.15 68'),
  },
};

/** Returns a survey's look. The survey's values come first, then its theme's, then its flow's. */
export function lookOfSurvey({ theme, logo, progress }: Survey, flow: Flow) {
  return {
    theme,
    logo: logo ?? themes[theme].look.logo,
    progress: progress ?? themes[theme].look.progress ?? flow.progress,
  };
}
