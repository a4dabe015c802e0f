import { openSite } from '../../src/server/http/site.ts';
import type { Settings } from '../../src/server/settings/settings.ts';
import { serverForTests } from './server.ts';

/** Provides a server with the built pages for the tests of a file. */
export function builtSiteForTests(
  environment: Parameters<typeof serverForTests>[0],
  options: Parameters<typeof serverForTests>[1] = {},
) {
  const siteOf = (settings: Settings) => {
    const site = openSite(settings);
    if (!site) throw new Error('The pages are not built: node scripts/build.ts');
    return site;
  };
  return serverForTests(environment, { ...options, siteOf });
}
