/** Loads the built site: pages, page manifest, and renderer of posted forms. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageEntry } from '../../model/messages/page-manifest.ts';
import type { PageLocals } from '../../model/messages/site-settings.ts';
import type { Settings } from '../settings/settings.ts';
import type { PageDocument } from './page-document.ts';
import type { RenderAnswer, RendererStart, RenderRequest } from './site-renderer.ts';

const DIST_DIR = join(import.meta.dirname, '..', '..', '..', 'dist');

export type Site = NonNullable<ReturnType<typeof openSite>>;

type FormRenderer = typeof import('../../web/survey/page/render-survey.tsx');

/** Returns the site; undefined if the site is not built. */
export function openSite(settings: Settings) {
  if (!existsSync(join(DIST_DIR, 'server', 'entry.mjs'))) return undefined;
  return {
    ...startPageProcess(DIST_DIR, pageLocals(settings)),
    manifest: readPageManifest(DIST_DIR),
    /** Absolute path of the folder with static files (scripts, icons). */
    clientDir: join(DIST_DIR, 'client'),
    /** Loads the renderer of posted forms at the first call, because the renderer needs 10 MiB. */
    forms: (): Promise<FormRenderer> =>
      import(pathToFileURL(join(DIST_DIR, 'forms', 'render.mjs')).href),
  };
}

/** Reads the page manifest of the build in the folder `dist`. */
export function readPageManifest(dist: string): readonly PageEntry[] {
  return JSON.parse(readFileSync(join(dist, 'page-manifest.json'), 'utf8')) as PageEntry[];
}

/** Returns the settings for rendering pages, without secrets. */
export function pageLocals(settings: Settings): PageLocals {
  const { site, surveys, timeZone, publicUrl, port, fallbackBuyers, experiments } = settings;
  const showsExamples = process.env.NODE_ENV !== 'production';
  const keep = { ...settings.keep, checks: settings.checks.answersDays };
  const origin = publicUrl ?? `http://localhost:${port}`;
  return { site, surveys, timeZone, origin, fallbackBuyers, showsExamples, keep, experiments };
}

const RENDERER = join(import.meta.dirname, 'site-renderer.ts');
/** Milliseconds without requests after which the renderer ends. */
const IDLE_MS = 10_000;

/** Renders pages in a child process that starts on demand (docs/decisions/0032-page-loading.md). */
export function startPageProcess(
  dist: string,
  locals: PageLocals,
  { idleMs = IDLE_MS, program = RENDERER }: { idleMs?: number; program?: string } = {},
) {
  const waiting = new Map<number, PromiseWithResolvers<PageDocument>>();
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  let renderer: ChildProcess | undefined;

  /** Rejects waiting requests and closes the channel, which ends the process. */
  const end = (reason: string) => {
    clearTimeout(timer);
    if (renderer?.connected) renderer.disconnect();
    renderer = undefined;
    for (const { reject } of waiting.values()) {
      reject(new Error(`Could not render a page: ${reason}`));
    }
    waiting.clear();
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
    // Sending a message to a dead process emits an error event, which must have a listener.
    child.on('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(`the renderer ended (${signal ?? code})`));
    child.on('message', ({ id, page, error }: RenderAnswer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) timer = setTimeout(end, idleMs, 'the renderer was idle');
      if (page) asked?.resolve(page);
      else asked?.reject(error);
    });
    child.send({ dist, locals } satisfies RendererStart);
    return child;
  };

  return {
    /** Renders a page. @throws if the page could not be rendered completely */
    render(url: string): Promise<PageDocument> {
      renderer ??= start();
      requests += 1;
      const asked = Promise.withResolvers<PageDocument>();
      waiting.set(requests, asked);
      clearTimeout(timer);
      renderer.send({ id: requests, url } satisfies RenderRequest);
      return asked.promise;
    },
    close: () => end('the server is stopping'),
  };
}
