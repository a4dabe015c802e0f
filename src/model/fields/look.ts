/** The colour themes of pages (docs/design.md). */
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

/** The logos beside the company's name. `word` means: only the name. */
export const logoNames = ['road', 'wheel', 'arch', 'marker', 'word'] as const;
export type LogoName = (typeof logoNames)[number];

/** The styles of the progress area of a page. */
export const progressStyles = ['stages', 'bar', 'percent', 'dots'] as const;
export type ProgressStyle = (typeof progressStyles)[number];

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

type Look = { readonly theme: ThemeName; readonly logo?: LogoName | undefined };

/** Encodes a theme and a logo as one text. */
export function lookName({ theme, logo }: Look): string {
  return logo ? `${theme}.${logo}` : theme;
}

/** Decodes a text of `lookName`, with defaults for unknown names. */
export function readLook(name: string): Look {
  const [theme, logo] = name.split('.');
  return {
    theme: themeNames.find((each) => each === theme) ?? 'default',
    logo: logoNames.find((each) => each === logo),
  };
}
