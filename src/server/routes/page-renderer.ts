/** The program that renders pages for `page-process.ts`, which forks it; it ends with its channel. */
import type { PageEntry } from '../../contract/page-manifest.ts';
import { type AstroPages, loadAstroPages } from './astro-pages.ts';
import { pageDocument } from './page-document.ts';
import { readPageManifest } from './page-manifest.ts';
import type { RenderAnswer, RendererStart, RenderRequest } from './page-process.ts';
import { scriptHostsOf } from './script-hosts.ts';

/** The pages, and what the build says of them. */
type Built = AstroPages & { readonly manifest: readonly PageEntry[] };

let loading: Promise<Built> | undefined;

async function render({ id, url }: RenderRequest): Promise<RenderAnswer> {
  try {
    const pages = await loading;
    if (!pages) throw new Error('Asked before it was told which pages');
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
    // Said to everyone who asks for a page.
    loading.catch(() => undefined);
    return;
  }
  const answer = await render(message);
  // A server that ends closes the channel, whatever is still on its way.
  if (process.connected) process.send?.(answer, () => undefined);
});

// A signal to the whole group (Ctrl-C) is for the server, which may still want a page while it stops.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
