import type { LogoName, ProgressStyle, SceneName } from '../../domain/look.ts';

/** A colour in OKLCH: lightness 0 to 1, chroma from 0, hue in degrees. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number];

/** A theme's seed colours, from which `palette.ts` derives every role. */
export type Seeds = {
  /** The hue and chroma of backgrounds, lines and text. */
  readonly paper: readonly [chroma: number, hue: number];
  /** The hue and chroma of answers and notices. */
  readonly tint: readonly [chroma: number, hue: number];
  /** The strong colour of the light scheme: buttons, chosen answers, progress. */
  readonly accent: Oklch;
  /** The strong backgrounds: header strip, info panel, home hero. May be light. */
  readonly panel: Oklch;
  /** The warm accent. The dark scheme of a theme with a nearly grey accent uses it as its accent. */
  readonly spark: Oklch;
};

/** The heading faces, each a file of `src/site/fonts/`. A face belongs to one theme. */
export type HeadingFace =
  | 'archivo'
  | 'bricolage'
  | 'dm-serif'
  | 'fraunces'
  | 'lora'
  | 'newsreader'
  | 'nunito'
  | 'outfit'
  | 'overpass'
  | 'playfair'
  | 'public-sans'
  | 'space-grotesk';

/** The style of an answer on its card. */
export type AnswerStyle = 'tinted' | 'outlined' | 'ruled' | 'raised';

/** The layout of a survey's first screen (docs/design.md#compositions). */
export type Composition = 'sheet' | 'band' | 'tiles' | 'open';

/** One theme as data (docs/design.md#themes). */
export type Theme = {
  readonly face: HeadingFace;
  /** Letter spacing of headings, a CSS length. */
  readonly tracking: string;
  readonly scene: SceneName;
  readonly composition: Composition;
  readonly answers: AnswerStyle;
  /** Corner radii of buttons and inputs, and of cards. CSS lengths. */
  readonly radius: string;
  readonly cardRadius: string;
  readonly logo: LogoName;
  /** Default: the flow's. */
  readonly progress?: ProgressStyle;
  readonly seeds: Seeds;
};
