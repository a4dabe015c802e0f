import { openSite } from '../../src/server/http/site.ts';
import type { Settings } from '../../src/server/settings/settings.ts';
import { serverForTests } from './server.ts';

/** Starts a server with the built pages, with the settings of `environment`, for a file's tests. */
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
