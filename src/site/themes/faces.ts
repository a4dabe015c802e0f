import bricolage from '../fonts/bricolage.woff2?url';
import newsreader from '../fonts/newsreader.woff2?url';
import type { HeadingFace } from './theme.ts';

const serif = 'Georgia,serif';
const sans = 'var(--font)';

/**
 * A face of our own, twice. A survey's first question is shown in what every browser has: a page that asks
 * for a face lays its words out a second time. A page of the site shows it only if the browser has it already
 * (`optional`), so that nothing waits or moves; what comes later in a survey uses the same file under a second
 * name, which takes it as soon as it is there.
 */
function ownFace(family: string, url: string, weights: string, fallback: string) {
  const face = (name: string, display: string) =>
    `@font-face{font-family:${name};font-weight:${weights};font-display:${display};` +
    `src:url(${url}) format("woff2")}`;
  return {
    url,
    css: face(family, 'optional') + face(`${family}-later`, 'swap'),
    first: fallback,
    family: `${family},${fallback}`,
    later: `${family}-later,${fallback}`,
  };
}

function systemFace(family: string) {
  return { url: undefined, css: '', first: family, family, later: family };
}

const faces = {
  newsreader: ownFace('newsreader', newsreader, '400 700', serif),
  bricolage: ownFace('bricolage', bricolage, '500 800', sans),
  system: systemFace(sans),
  rounded: systemFace(`ui-rounded,"SF Pro Rounded","Nunito",${sans}`),
  bookish: systemFace(`ui-serif,"Iowan Old Style",Charter,"Noto Serif",Georgia,serif`),
} as const satisfies Record<HeadingFace, unknown>;

/**
 * A heading face: its file and its `@font-face` rules (none for the system's), and the families of a survey's
 * first question, of a page, and of what comes later in a survey.
 */
export function headingFace(face: HeadingFace): {
  readonly url: string | undefined;
  readonly css: string;
  readonly first: string;
  readonly family: string;
  readonly later: string;
} {
  return faces[face];
}
