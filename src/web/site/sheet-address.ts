import { createHash } from 'node:crypto';

/**
 * The style sheets that surveys load after their first question, in the order of the cascade. A survey loads `choices`
 * here only if its first two questions do not need it.
 */
export const laterParts = ['choices', 'steps', 'buyers', 'worth', 'code'] as const;
export type LaterPart = (typeof laterParts)[number];

/** Returns the address of a survey's later style sheet in the build, with a hash of its content. */
export function sheetAddress(css: string): string {
  const hash = createHash('sha256').update(css).digest('base64url').slice(0, 8);
  return `/_astro/survey-later.${hash}.css`;
}
