import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageEntry } from '../../contract/page-manifest.ts';

/**
 * What the build says of its pages.
 *
 * @param dist absolute path of the build's folder
 * @throws when nothing is built there
 */
export function readPageManifest(dist: string): readonly PageEntry[] {
  return JSON.parse(readFileSync(join(dist, 'page-manifest.json'), 'utf8')) as PageEntry[];
}
