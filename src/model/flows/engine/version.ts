import { hash } from 'node:crypto';
import type { Flow } from './flow.ts';

/** Returns a flow's version: the SHA-256 of its data, base64url. Pages and server compute the same. */
export function flowVersion(flow: Flow): string {
  return hash('sha256', JSON.stringify(flow), 'base64url');
}
