import { hash } from 'node:crypto';
import type { ConsentText } from '../contract/site-settings.ts';

/**
 * Returns 16 characters that identify one wording of one version of a consent text. Runs on the server and in
 * the build only.
 */
export function consentDigest({ version, text }: Pick<ConsentText, 'version' | 'text'>): string {
  return hash('sha256', `${version}\n${text}`, 'base64url').slice(0, 16);
}
