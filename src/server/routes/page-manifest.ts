import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageEntry } from '../../contract/page-manifest.ts';

/**
 * Reads the build's description of its pages.
 *
 * @param dist absolute path of the build's folder
 * @throws if there is no build
 */
export function readPageManifest(dist: string): readonly PageEntry[] {
  return JSON.parse(readFileSync(join(dist, 'page-manifest.json'), 'utf8')) as PageEntry[];
}
