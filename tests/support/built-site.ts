import { builtPages } from '../../src/server/main.ts';
import { serverForTests } from './server.ts';

/** A server with the pages as they are built. `environment` is asked when it starts. */
export function builtSiteForTests(environment: () => NodeJS.ProcessEnv) {
  return serverForTests(environment, (settings) => {
    const pages = builtPages(settings);
    if (!pages) throw new Error('The pages are not built: node scripts/build.ts');
    return pages;
  });
}
