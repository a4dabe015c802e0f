import { builtPages } from '../../src/server/main.ts';
import { serverForTests } from './server.ts';

/** Starts a server with the built pages. Calls `environment` at its start. */
export function builtSiteForTests(environment: () => NodeJS.ProcessEnv) {
  return serverForTests(environment, {
    pagesOf(settings) {
      const pages = builtPages(settings);
      if (!pages) throw new Error('The pages are not built: node scripts/build.ts');
      return pages;
    },
  });
}
