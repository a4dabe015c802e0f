/**
 * The pages' renderer as a process of its own. Astro and React's server renderer take 60 MiB, and they
 * work a few seconds a day: every page is rendered once and kept (docs/decisions/0006-page-cache.md). So they live in
 * a process that is started when a page is wanted and ended when none has been wanted for a while.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { PageLocals } from './astro-pages.ts';
import type { PageDocument } from './page-document.ts';
import type { SitePages } from './pages.ts';

/** What the process is told, once, before anything else. */
export type RendererStart = { readonly dist: string; readonly locals: PageLocals };
/** What it is asked, any number at once. */
export type RenderRequest = { readonly id: number; readonly url: string };
/** What it answers, once for each. */
export type RenderAnswer =
  | { readonly id: number; readonly page: PageDocument }
  | { readonly id: number; readonly error: Error };

const PROGRAM = join(import.meta.dirname, 'page-renderer.ts');

/** Pages are wanted all at once: the surveys at the start, the others by the first who walk through. */
const IDLE_MS = 10_000;

/** A page is a fraction of a second of work; a renderer that answers nothing for so long is stuck. */
const STUCK_MS = 60_000;

type Waiting = {
  resolve(page: PageDocument): void;
  reject(error: Error): void;
};

/**
 * The pages that `scripts/build.ts` built, rendered in a process of their own. It is started at once:
 * what loads before anybody asks need not be waited for.
 *
 * @param dist absolute path of the build's folder
 * @param options.idleMs how long the process is kept when nothing is asked of it
 * @param options.stuckMs how long the process may answer nothing; then it is ended, and all who wait are told
 */
export function startPageProcess(
  dist: string,
  locals: PageLocals,
  options: { idleMs?: number; stuckMs?: number; program?: string } = {},
): SitePages {
  const { idleMs = IDLE_MS, stuckMs = STUCK_MS, program = PROGRAM } = options;
  const waiting = new Map<number, Waiting>();
  let requests = 0;
  let idle: NodeJS.Timeout | undefined;
  let stuck: NodeJS.Timeout | undefined;
  let renderer: ChildProcess | undefined;

  /** Who still waits is told the reason. The process ends by itself when its channel closes. */
  const end = (reason: string) => {
    clearTimeout(idle);
    if (renderer?.connected) renderer.disconnect();
    renderer = undefined;
    clearTimeout(stuck);
    for (const { reject } of waiting.values()) {
      reject(new Error(`No page is rendered: ${reason}`));
    }
    waiting.clear();
  };
  const endStuck = () => {
    // It may be too busy to notice that its channel is closed.
    renderer?.kill('SIGKILL');
    end('the renderer did not answer');
  };
  /** From the last answer on: who asks last waits for all the pages before. */
  const watch = () => {
    clearTimeout(stuck);
    if (waiting.size > 0) stuck = setTimeout(endStuck, stuckMs);
  };
  const start = (): ChildProcess => {
    const child = fork(program, {
      // React's build for production, which renders twice as fast.
      env: { ...process.env, NODE_ENV: 'production' },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = (reason: string) => {
      if (renderer === child) end(reason);
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(`the renderer ended (${signal ?? code})`));
    child.on('message', (answer: RenderAnswer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      watch();
      if ('page' in answer) asked?.resolve(answer.page);
      else asked?.reject(answer.error);
      clearTimeout(idle);
      if (waiting.size === 0) idle = setTimeout(end, idleMs, 'nobody asked');
    });
    child.send({ dist, locals } satisfies RendererStart);
    return child;
  };

  renderer = start();
  return {
    clientDir: join(dist, 'client'),
    render(url) {
      clearTimeout(idle);
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
    close: () => end('the server stops'),
  };
}
