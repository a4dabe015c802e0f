import { createHash } from 'node:crypto';

/** Returns the address of a survey's later style sheet in the build, with a hash of its content. */
export function sheetAddress(css: string): string {
  const hash = createHash('sha256').update(css).digest('base64url').slice(0, 8);
  return `/_astro/survey-later.${hash}.css`;
}
