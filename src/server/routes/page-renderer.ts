/** The program that `page-process.ts` forks to render pages. It ends when its channel closes. */
import type { PageLocals } from '../../contract/page-locals.ts';
import type { PageEntry } from '../../contract/page-manifest.ts';
import {
  callTrackingScripts,
  hostsOfScripts,
  surveyScripts,
} from '../../contract/script-declarations.ts';
import type { ScriptHosts } from '../../contract/third-party-scripts.ts';
import { flowOf, surveyAt } from '../../flows/surveys.ts';
import { type AstroPages, loadAstroPages } from './astro-pages.ts';
import { pageDocument } from './page-document.ts';
import {
  type RenderAnswer,
  type RendererStart,
  type RenderRequest,
  readPageManifest,
} from './page-process.ts';

/** The built pages with their manifest. */
type Built = AstroPages & { readonly manifest: readonly PageEntry[] };

let loading: Promise<Built> | undefined;

async function render({ id, url }: RenderRequest): Promise<RenderAnswer> {
  try {
    const pages = await loading;
    if (!pages) throw new Error('A request arrived before the start message');
    const hosts = await scriptHostsOf(url, pages.locals, pages.manifest);
    return { id, page: await pageDocument(await pages.render(url), pages.scripts, hosts) };
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) };
  }
}

process.on('message', async (message: RendererStart | RenderRequest) => {
  if ('dist' in message) {
    const { dist, locals } = message;
    loading = loadAstroPages(dist, locals).then((pages) => ({
      ...pages,
      manifest: readPageManifest(dist),
    }));
    // Each request reports the error.
    loading.catch(() => undefined);
    return;
  }
  const answer = await render(message);
  // A stopping server closes the channel, even with answers under way.
  if (process.connected) process.send?.(answer, () => undefined);
});

// Ctrl-C signals the whole process group, but the stopping server may still need pages.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

/**
 * Returns the third-party hosts that a page's policy allows: those of its survey's scripts, or of call
 * tracking on a site page. Thank-you pages get none, because contact details are in their address.
 *
 * @param url path of the page, with or without a query
 */
async function scriptHostsOf(
  url: string,
  { site, surveys }: Pick<PageLocals, 'site' | 'surveys'>,
  manifest: readonly PageEntry[],
): Promise<ScriptHosts> {
  const path = url.split('?')[0] ?? '';
  const survey = surveyAt(path, surveys);
  const tracksCalls = manifest.some((page) => page.source === path && page.tracksCalls);
  const ofSurvey = survey ? surveyScripts(await flowOf(survey), site.scripts) : [];
  const ofSite = tracksCalls ? callTrackingScripts(site.scripts) : [];
  return hostsOfScripts([...ofSurvey, ...ofSite], site.scripts);
}
