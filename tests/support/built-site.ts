import { builtPages } from '../../src/server/main.ts';
import type { Settings } from '../../src/server/settings/settings.ts';
import { serverForTests } from './server.ts';

/** Starts a server with the built pages. Calls `environment` at its start. */
export function builtSiteForTests(
  environment: Parameters<typeof serverForTests>[0],
  options: Parameters<typeof serverForTests>[1] = {},
) {
  const pagesOf = (settings: Settings) => {
    const pages = builtPages(settings);
    if (!pages) throw new Error('The pages are not built: node scripts/build.ts');
    return pages;
  };
  return serverForTests(environment, { ...options, pagesOf });
}
