import { createHash } from 'node:crypto';

/** The address of a survey's later style sheet in the build: it changes with what is in it. */
export function sheetAddress(css: string): string {
  const hash = createHash('sha256').update(css).digest('base64url').slice(0, 8);
  return `/_astro/survey-later.${hash}.css`;
}
