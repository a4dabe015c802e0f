/** The server as a program: `node src/server/main.ts`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { FastifyPluginAsync } from 'fastify';
import { formatIso } from '../domain/dates.ts';
import { loadSettings, type Settings } from './config/settings.ts';
import { SettingsError } from './config/settings-error.ts';
import { createCalendar } from './leads/calendar.ts';
import { createLog } from './log.ts';
import { loadAstroPages } from './routes/astro-pages.ts';
import { pagesPlugin } from './routes/pages.ts';
import { type RunningServer, startServer } from './server.ts';

export { type RunningServer, startServer } from './server.ts';

/** Where `scripts/build.ts` puts the pages. */
const DIST_DIR = path.join(import.meta.dirname, '..', '..', 'dist');

/** The pages as they are built, or undefined when they are not. */
async function builtPages(settings: Settings): Promise<FastifyPluginAsync | undefined> {
  if (!existsSync(path.join(DIST_DIR, 'server', 'entry.mjs'))) return undefined;
  const { site, surveys, timeZone } = settings;
  const pages = await loadAstroPages(DIST_DIR, { site, surveys, timeZone });
  const calendar = createCalendar(timeZone);
  const today = () => formatIso(calendar(new Date()));
  return (app) => pagesPlugin(app, { pages, surveys, today });
}

/** Runs until a signal comes. Exit codes: 0 stopped cleanly, 1 it could not start or stop, 2 settings. */
export async function main(): Promise<void> {
  const { settings, warnings } = loadSettings();
  const log = await createLog({ level: settings.logLevel });
  for (const warning of warnings) log.warn(warning);

  let starting: Promise<RunningServer> | undefined;
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) {
      log.warn({ signal }, 'Second signal: ending at once');
      process.exit(1);
    }
    log.info({ signal }, 'Stopping');
    stopping.abort();
    // A start that is under way stops what it has started.
    (starting ?? Promise.resolve(undefined))
      .catch(() => undefined)
      .then((server) => server?.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  const pages = await builtPages(settings);
  if (!pages) log.warn('The pages are not built, only the API is served: run "npm run build"');
  const { signal } = stopping;
  starting = startServer(settings, { log, signal, ...(pages ? { pages } : {}) });
  const server = await starting.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (!server || signal.aborted) return;
  const address = settings.publicUrl ?? server.url;
  // On standard output whatever the log level: it is what the person who started it looks for.
  console.log(`Listening on ${server.url}${address === server.url ? '' : ` for ${address}`}`);
}

/** What to do when `main` fails: one clear sentence, and an exit code other than 0. */
export function failStart(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof SettingsError ? message : `The server did not start: ${message}`);
  process.exit(error instanceof SettingsError ? 2 : 1);
}

if (import.meta.main) await main().catch(failStart);
