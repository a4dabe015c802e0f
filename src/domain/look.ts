/**
 * The names of everything that a page's look is chosen from (docs/design.md): a survey's row, an
 * experiment and the preview name them; what they look like is in `src/site/themes/`.
 */
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

/** The marks beside the company's name; `word` is the name alone. */
export const logoNames = ['road', 'wheel', 'arch', 'marker', 'word'] as const;
export type LogoName = (typeof logoNames)[number];

/** How far the visitor is: numbered positions, a thin bar, a percentage, dots with their labels. */
export const progressStyles = ['stages', 'bar', 'percent', 'dots'] as const;
export type ProgressStyle = (typeof progressStyles)[number];

/** The drawing behind the header and in the panel; each theme has its own. */
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

/** Returns the name of a survey's colours and logo, as a thank-you page is asked for in them. */
export function lookName({ theme, logo }: Look): string {
  return logo ? `${theme}.${logo}` : theme;
}

/** Reads such a name; what it does not know is the default's. */
export function readLook(name: string): Look {
  const [theme, logo] = name.split('.');
  return {
    theme: themeNames.find((each) => each === theme) ?? 'default',
    logo: logoNames.find((each) => each === logo),
  };
}
