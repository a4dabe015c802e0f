/** Runs the server: `node src/server/main.ts`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { formatIso } from '../model/fields/dates.ts';
import { formRenderer } from './http/form-pages.ts';
import { readPageManifest, startPageProcess } from './http/page-process.ts';
import { pagesPlugin } from './http/pages.ts';
import { createSiteForms } from './http/site-forms.ts';
import { createCalendar } from './platform/calendar.ts';
import { keepDemoSettings, loadSettings, storeConsoleAddress } from './settings/environment.ts';
import { type Settings, SettingsError } from './settings/settings.ts';
import type { PagesPlugin } from './wiring/app.ts';
import { consoleLine } from './wiring/console.ts';
import { createLog, isForPeople } from './wiring/log.ts';
import { pageLocals, servesPreview } from './wiring/page-locals.ts';
import { type RunningServer, startServer } from './wiring/server.ts';
import { type SummaryLine, startRecord, startSummary } from './wiring/start-summary.ts';

/** The output directory of `scripts/build.ts`. */
const DIST_DIR = path.join(import.meta.dirname, '..', '..', 'dist');

/**
 * Ctrl-C arrives twice within milliseconds: from the terminal and from npm. Only a signal after this time is a
 * second Ctrl-C, which ends the process at once.
 */
const SAME_SIGNAL_MS = 2_000;

/** Returns the built pages, or undefined if they are not built. */
export function builtPages(settings: Settings): PagesPlugin | undefined {
  if (!existsSync(path.join(DIST_DIR, 'server', 'entry.mjs'))) return undefined;
  const { surveys, timeZone } = settings;
  const pages = startPageProcess(DIST_DIR, pageLocals(settings));
  const calendar = createCalendar(timeZone);
  const today = () => formatIso(calendar(new Date()));
  const manifest = readPageManifest(DIST_DIR);
  const hasPreview = servesPreview(settings);
  const { publicUrl, limits, experiments, visitorStateHeader } = settings;
  const renderer = formRenderer(DIST_DIR);
  return (app, { useCases, rendered }) =>
    pagesPlugin(app, {
      pages,
      manifest,
      surveys,
      today,
      hasPreview,
      experiments,
      forms: createSiteForms(useCases),
      surveyForms: { ...limits, forms: useCases.surveyForms, renderer, visitorStateHeader },
      publicUrl,
      formsPerMinute: limits.checksPerAddressPerMinute,
      rendered,
    });
}

/**
 * Runs the server until a signal. Exit codes: 0 stopped cleanly, 1 start or stop failed, 2 bad settings.
 *
 * On a terminal the start prints a summary instead of log lines below a warning, unless LOG_LEVEL differs from
 * its default.
 *
 * @param others further lines for the summary
 * @param demoSettings the settings of a demo
 */
export async function main(
  others: readonly SummaryLine[] = [],
  demoSettings?: Readonly<Record<string, string>>,
): Promise<void> {
  const { settings, warnings } = loadSettings();
  const log = await createLog({ level: settings.logLevel });
  const isQuietStart = isForPeople() && settings.logLevel === 'info';
  if (isQuietStart) log.level = 'warn';
  for (const warning of warnings) log.warn(warning);

  let starting: Promise<RunningServer> | undefined;
  const stopping = new AbortController();
  let stoppedAtMs = 0;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) {
      if (performance.now() - stoppedAtMs < SAME_SIGNAL_MS) return;
      log.warn({ signal }, 'Second signal; ending at once');
      process.exit(1);
    }
    stoppedAtMs = performance.now();
    log.info({ signal }, 'Stopping');
    stopping.abort();
    // An unfinished start stops everything that it has started.
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

  const pages = settings.servesPages ? builtPages(settings) : undefined;
  if (!pages && settings.servesPages)
    log.warn('The pages are not built, so only the API is served: run "npm run build"');
  const { signal } = stopping;
  starting = startServer(settings, { log, signal, ...(pages ? { pages } : {}) });
  const server = await starting.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  // The server accepts leads meanwhile. A stop ends the rendering and this wait.
  await server?.app.firstPages;
  if (!server || signal.aborted) return;
  keepDemoSettings(settings.dataDir, demoSettings);
  if (server.console) storeConsoleAddress(settings.dataDir, server.console.url);
  const address = settings.publicUrl ?? server.url;
  // Printed at every log level, because whoever started the server looks for it.
  console.log(`Listening on ${server.url}${address === server.url ? '' : ` for ${address}`}`);
  if (isForPeople()) {
    const lines = startSummary(settings, await consoleLine(server.console), others);
    for (const line of lines) console.log(line);
  } else {
    for (const [about, text] of others) console.log(about === '' ? text : `${about}: ${text}`);
    log.info(startRecord(settings, server), 'Started');
  }
  if (isQuietStart) log.level = settings.logLevel;
}

/** Reports a failed start in one sentence and ends the process. */
export function failStart(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof SettingsError ? message : `The server did not start: ${message}`);
  process.exit(error instanceof SettingsError ? 2 : 1);
}

if (import.meta.main) await main().catch(failStart);
