/**
 * Renders pages in a separate process. Astro and React's server renderer take 60 MiB but work only seconds a
 * day, since each page is rendered once and cached (docs/decisions/0006-page-cache.md). The process starts on
 * demand and ends when idle.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageLocals } from '../../model/messages/page-locals.ts';
import type { PageEntry } from '../../model/messages/page-manifest.ts';
import { type AstroPages, loadAstroPages } from './astro-pages.ts';
import { type PageDocument, pageDocument } from './page-document.ts';

/** The source of rendered pages and static files. */
export type SitePages = {
  /**
   * @param url path with the query parameters that the page depends on
   * @throws if the page could not be rendered completely
   */
  render(url: string): Promise<PageDocument>;
  /** Absolute path of the folder with static files (scripts, icons). */
  readonly clientDir: string;
  close(): void;
};

/** The first message to the process. */
type RendererStart = { readonly dist: string; readonly locals: PageLocals };
/** A request to the process; any number may be open at once. */
type RenderRequest = { readonly id: number; readonly url: string };
/** The answer to one request. */
type RenderAnswer = { readonly id: number; readonly page?: PageDocument; readonly error?: Error };

/** Requests for pages come in bursts, such as all surveys at the start. */
const IDLE_MS = 10_000;

/** A page takes a fraction of a second, so a renderer that is silent for this long is stuck. */
const STUCK_MS = 60_000;

/**
 * Returns the pages built by `scripts/build.ts`. The first request starts the process that renders them.
 *
 * @param dist absolute path of the build's folder
 * @param options.idleMs after this time without requests the process ends
 * @param options.stuckMs after this time without an answer the process is killed, and waiting requests fail
 */
export function startPageProcess(
  dist: string,
  locals: PageLocals,
  options: { idleMs?: number; stuckMs?: number; program?: string } = {},
): SitePages {
  const { idleMs = IDLE_MS, stuckMs = STUCK_MS, program = import.meta.filename } = options;
  const waiting = new Map<number, PromiseWithResolvers<PageDocument>>();
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  let renderer: ChildProcess | undefined;

  /** Rejects waiting requests. The process ends when its channel closes. */
  const end = (reason: string) => {
    clearTimeout(timer);
    if (renderer?.connected) renderer.disconnect();
    renderer = undefined;
    for (const { reject } of waiting.values()) {
      reject(new Error(`Could not render a page: ${reason}`));
    }
    waiting.clear();
  };
  const endStuck = () => {
    // A busy process might not notice that its channel is closed.
    renderer?.kill('SIGKILL');
    end('the renderer did not answer');
  };
  /** Called at each answer, since requests wait for all pages before them. */
  const watch = () => {
    clearTimeout(timer);
    timer =
      waiting.size > 0
        ? setTimeout(endStuck, stuckMs)
        : setTimeout(end, idleMs, 'the renderer was idle');
  };
  const start = (): ChildProcess => {
    const child = fork(program, {
      // React's production build renders twice as fast.
      env: { ...process.env, NODE_ENV: 'production' },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = (reason: string) => {
      if (renderer === child) end(reason);
    };
    // Each request that is sent to a dead process raises one.
    child.on('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(`the renderer ended (${signal ?? code})`));
    child.on('message', ({ id, page, error }: RenderAnswer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      watch();
      if (page) asked?.resolve(page);
      else asked?.reject(error);
    });
    child.send({ dist, locals } satisfies RendererStart);
    return child;
  };

  return {
    clientDir: join(dist, 'client'),
    render(url) {
      renderer ??= start();
      requests += 1;
      const asked = Promise.withResolvers<PageDocument>();
      waiting.set(requests, asked);
      if (waiting.size === 1) watch();
      renderer.send({ id: requests, url } satisfies RenderRequest);
      return asked.promise;
    },
    close: () => end('the server is stopping'),
  };
}

/** Answers the requests of the process that forked this one, until the channel closes. */
function serveRequests(): void {
  let loading: Promise<AstroPages>;
  const render = async (url: string) => {
    const { render, scripts } = await loading;
    return pageDocument(await render(url), scripts);
  };
  process.on('message', async (message: RendererStart | RenderRequest) => {
    if ('dist' in message) {
      loading = loadAstroPages(message.dist, message.locals);
      // Each request reports the error.
      loading.catch(() => undefined);
      return;
    }
    const { id, url } = message;
    const answer: RenderAnswer = await render(url).then(
      (page) => ({ id, page }),
      (error: Error) => ({ id, error }),
    );
    // A stopping server closes the channel, even with answers under way.
    if (process.connected) process.send?.(answer, () => undefined);
  });
  // Ctrl-C signals the whole process group, but the stopping server may still need pages.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}

if (import.meta.main) serveRequests();

/**
 * Reads the build's description of its pages.
 *
 * @param dist absolute path of the build's folder
 * @throws if there is no build
 */
export function readPageManifest(dist: string): readonly PageEntry[] {
  return JSON.parse(readFileSync(join(dist, 'page-manifest.json'), 'utf8')) as PageEntry[];
}
