import { hash } from 'node:crypto';
import type { ConsentText } from '../messages/site-settings.ts';

/** Returns 16 characters that identify a consent text's version and wording. Not for the browser. */
export function consentDigest({ version, text }: Pick<ConsentText, 'version' | 'text'>): string {
  return hash('sha256', `${version}\n${text}`, 'base64url').slice(0, 16);
}
