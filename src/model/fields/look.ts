/** Colour themes of a page (docs/design.md). `src/web/styles/` defines the colours. */
export const themeNames = [
  'default',
  'harbor',
  'clay',
  'meadow',
  'dusk',
  'slate',
  'signal',
  'wine',
  'lagoon',
  'paper',
  'sky',
  'ember',
] as const;
export type ThemeName = (typeof themeNames)[number];

/** The logos beside the company's name; `word` is the name without a logo. */
export const logoNames = ['road', 'wheel', 'arch', 'marker', 'word'] as const;
export type LogoName = (typeof logoNames)[number];

/** Progress indicators: numbered positions, a thin bar, a percentage, or labelled dots. */
export const progressStyles = ['stages', 'bar', 'percent', 'dots'] as const;
export type ProgressStyle = (typeof progressStyles)[number];

/** The drawings behind the header and in the panel. */
export const sceneNames = [
  'road',
  'coast',
  'mesa',
  'meadow',
  'street',
  'map',
  'highway',
  'vineyard',
  'lagoon',
  'viaduct',
  'bridge',
  'skyline',
] as const;
export type SceneName = (typeof sceneNames)[number];

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** The colours and the logo of a page. */
type Look = { readonly theme: ThemeName; readonly logo?: LogoName | undefined };

/** Returns the name of a look, which a survey passes to the thank-you page. */
export function lookName({ theme, logo }: Look): string {
  return logo ? `${theme}.${logo}` : theme;
}

/** Parses a look's name. Unknown parts get defaults. */
export function readLook(name: string): Look {
  const [theme, logo] = name.split('.');
  return {
    theme: themeNames.find((each) => each === theme) ?? 'default',
    logo: logoNames.find((each) => each === logo),
  };
}
