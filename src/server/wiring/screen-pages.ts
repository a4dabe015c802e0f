import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { ScreenPages } from '../console/context.ts';
import { startPageProcess } from '../routes/page-process.ts';
import type { SitePages } from '../routes/pages.ts';
import { pageLocals } from './page-locals.ts';

/** The output directory of `scripts/build.ts`. */
const DIST_DIR = path.join(import.meta.dirname, '..', '..', '..', 'dist');

/**
 * Renders the surveys' screens for the console. Their process starts when somebody looks at one, and never keeps a
 * visitor's page waiting. Undefined: the pages are off, or not built.
 */
export function screenPages(settings: Settings): (ScreenPages & { close(): void }) | undefined {
  if (!settings.servesPages || !existsSync(path.join(DIST_DIR, 'server', 'entry.mjs'))) {
    return undefined;
  }
  let pages: SitePages | undefined;
  return {
    clientDir: path.join(DIST_DIR, 'client'),
    render(url) {
      pages ??= startPageProcess(DIST_DIR, pageLocals(settings));
      return pages.render(url);
    },
    close: () => pages?.close(),
  };
}
