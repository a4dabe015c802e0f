/**
 * Renders pages in a separate process. Astro and React's server renderer take 60 MiB but work only seconds a
 * day, since each page is rendered once and cached (docs/decisions/0006-page-cache.md). The process starts on
 * demand and ends when idle.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageLocals } from '../../contract/page-locals.ts';
import type { PageEntry } from '../../contract/page-manifest.ts';
import type { PageDocument } from './page-document.ts';
import type { SitePages } from './pages.ts';

/** The first message to the process. */
export type RendererStart = { readonly dist: string; readonly locals: PageLocals };
/** A request to the process; any number may be open at once. */
export type RenderRequest = { readonly id: number; readonly url: string };
/** The answer to one request. */
export type RenderAnswer =
  | { readonly id: number; readonly page: PageDocument }
  | { readonly id: number; readonly error: Error };

const PROGRAM = join(import.meta.dirname, 'page-renderer.ts');

/** Requests for pages come in bursts, such as all surveys at the start. */
const IDLE_MS = 10_000;

/** A page takes a fraction of a second, so a renderer that is silent for this long is stuck. */
const STUCK_MS = 60_000;

type Waiting = {
  resolve(page: PageDocument): void;
  reject(error: Error): void;
};

/**
 * Starts the process that renders the pages built by `scripts/build.ts`. It starts at once, so that loading is
 * done before the first request.
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
  const { idleMs = IDLE_MS, stuckMs = STUCK_MS, program = PROGRAM } = options;
  const waiting = new Map<number, Waiting>();
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
    child.on('message', (answer: RenderAnswer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      watch();
      if ('page' in answer) asked?.resolve(answer.page);
      else asked?.reject(answer.error);
    });
    child.send({ dist, locals } satisfies RendererStart);
    return child;
  };

  renderer = start();
  return {
    clientDir: join(dist, 'client'),
    render(url) {
      renderer ??= start();
      const child = renderer;
      requests += 1;
      const id = requests;
      return new Promise<PageDocument>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        if (waiting.size === 1) watch();
        child.send({ id, url } satisfies RenderRequest);
      });
    },
    close: () => end('the server is stopping'),
  };
}

/**
 * Reads the build's description of its pages.
 *
 * @param dist absolute path of the build's folder
 * @throws if there is no build
 */
export function readPageManifest(dist: string): readonly PageEntry[] {
  return JSON.parse(readFileSync(join(dist, 'page-manifest.json'), 'utf8')) as PageEntry[];
}
