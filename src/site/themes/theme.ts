import type { LogoName, ProgressStyle, Scheme } from '../../domain/look.ts';

/**
 * The colours of a scheme, by their task and not by their hue (docs/design.md#colour). Each is the custom
 * property of its name; `themes.test.ts` holds every pair that may meet to its contrast.
 */
export const colourRoles = [
  'ground',
  'ground-deep',
  'surface',
  'tint',
  'tint-deep',
  'text',
  'text-quiet',
  'line',
  'line-strong',
  'accent',
  'accent-hover',
  'on-accent',
  'accent-text',
  'panel',
  'panel-deep',
  'on-panel',
  'on-panel-quiet',
  'highlight',
  'error',
  'error-soft',
  'focus',
  'art-sky',
  'art-far',
  'art-mid',
  'art-near',
  'art-sun',
] as const;
export type ColourRole = (typeof colourRoles)[number];
/** A colour of each role, `#rrggbb`. */
export type Palette = Readonly<Record<ColourRole, string>>;

/** The faces that headings may have: two files of our own, and what the visitor's system has. */
export type HeadingFace = 'newsreader' | 'bricolage' | 'system' | 'rounded' | 'bookish';

/** How an answer stands on its card. */
export type AnswerStyle = 'tinted' | 'outlined' | 'ruled' | 'raised';

/** A whole character: type, colours, shape, mark, progress (docs/design.md#themes). */
export type Theme = {
  readonly heading: {
    readonly face: HeadingFace;
    readonly weight: number;
    /** Letter spacing, a CSS length. */
    readonly tracking: string;
  };
  readonly answers: AnswerStyle;
  /** Corners of what is tapped or filled in; those of cards. CSS lengths. */
  readonly radius: string;
  readonly cardRadius: string;
  readonly logo: LogoName;
  /** Not said: as the survey's flow has it. */
  readonly progress?: ProgressStyle;
  readonly colours: Readonly<Record<Scheme, Palette>>;
};
