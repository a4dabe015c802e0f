/** Runs the server: `node src/server/main.ts`. */
import process from 'node:process';
import { openSite } from './http/site.ts';
import {
  loadSettings,
  storeConsoleAddress,
  storeDemoSettings,
  unknownNames,
} from './settings/environment.ts';
import { SettingsError } from './settings/settings.ts';
import { createLog, isForPeople } from './wiring/log.ts';
import { type RunningServer, startServer } from './wiring/server.ts';
import {
  consoleLine,
  type SummaryLine,
  startRecord,
  startSummary,
} from './wiring/start-summary.ts';

/** A second signal within this time is ignored, because the terminal and npm both send Ctrl-C. */
const SAME_SIGNAL_MS = 2_000;

/** Runs the server until a signal. Exit codes: 0 stopped cleanly, 1 a failure, 2 bad settings. */
export async function main(
  others: readonly SummaryLine[] = [],
  demoSettings?: Readonly<Record<string, string>>,
): Promise<void> {
  const settings = loadSettings();
  const log = await createLog(settings.logLevel);
  const isQuietStart = isForPeople() && settings.logLevel === 'info';
  if (isQuietStart) log.level = 'warn';

  for (const name of unknownNames(settings)) {
    log.warn(`.env sets ${name}, which is not a setting: .env.example lists all settings`);
  }

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

  const site = settings.servesPages ? openSite(settings) : undefined;
  if (!site && settings.servesPages)
    log.warn('The pages are not built, so only the API is served: run "npm run build"');
  const { signal } = stopping;
  starting = startServer(settings, { log, signal, ...(site && { site }) });
  const server = await starting.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  // Reports the start only after every page is rendered.
  await server?.app.firstPages;
  if (!server || signal.aborted) return;
  storeDemoSettings(settings.dataDir, demoSettings);
  if (server.console) storeConsoleAddress(settings.dataDir, server.console.url);
  const address = settings.publicUrl ?? server.url;
  // Does not use the log, because operators need this line at any LOG_LEVEL.
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

/** Prints the reason of a failed start in one sentence and ends the process. */
export function failStart(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof SettingsError ? message : `The server did not start: ${message}`);
  process.exit(error instanceof SettingsError ? 2 : 1);
}

if (import.meta.main) await main().catch(failStart);
