/**
 * Summarises a start: addresses, database, and which third parties are real, in the sandbox, replaced by our own
 * code, or off. The third parties come from the settings (`config/third-parties.ts`, `destinations/`).
 */
import path from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { ThirdParty } from '../config/third-parties.ts';
import type { RunningServer } from './server.ts';

/** One line of the summary: topic and text. */
export type SummaryLine = readonly [about: string, text: string];

/** The headings of the third parties by state, in the order of the summary. */
const headings = { real: 'Real', sandbox: 'Sandbox', embedded: 'Embedded', off: 'Off' } as const;

/**
 * Returns the summary for a terminal, without passwords, keys or accounts. Pure.
 * @param others further lines, for example the address of the sandbox
 */
export function startSummary(
  settings: Settings,
  { operationsUrl }: Pick<RunningServer, 'operationsUrl'>,
  others: readonly SummaryLine[] = [],
): string[] {
  const lines: SummaryLine[] = [
    ['Operations', operationsUrl ? `${operationsUrl}/metrics, /healthz, /readyz` : 'off'],
    ['Database', databaseText(settings)],
    ['Leads', leadsText(settings)],
    ...(settings.deliveryConcurrency === 0
      ? [['', 'by another process: DELIVERY_CONCURRENCY is 0 here'] as const]
      : []),
    ...Object.entries(headings).flatMap(([state, heading]) => partyLines(settings, state, heading)),
    ...others,
  ];
  const width = Math.max(...lines.map(([about]) => about.length)) + 2;
  return lines.map(([about, text]) => `  ${about.padEnd(width)}${text}`);
}

/** Returns the summary as one log record. Its field names are relied on by log searches. */
export function startRecord(
  settings: Settings,
  { url, operationsUrl, console }: Pick<RunningServer, 'url' | 'operationsUrl' | 'console'>,
) {
  return {
    url,
    operationsUrl: operationsUrl ?? null,
    consoleUrl: console?.url ?? null,
    database: settings.databaseUrl === undefined ? 'embedded' : 'DATABASE_URL',
    deliveryConcurrency: settings.deliveryConcurrency,
    thirdParties: Object.fromEntries(
      settings.thirdParties.map(({ name, state }) => [name, state] as const),
    ),
  };
}

function databaseText({ databaseUrl, dataDir }: Settings): string {
  if (databaseUrl === undefined) return `embedded, in ${path.join(dataDir, 'postgres')}`;
  const { host, pathname } = new URL(databaseUrl);
  return `${decodeURIComponent(pathname).slice(1) || 'the default database'} at ${host || 'this machine'}`;
}

function leadsText({ destinations }: Settings): string {
  const on = destinations.filter(({ values }) => values !== undefined);
  if (on.length === 0) return 'stored, but not sent anywhere yet';
  return `sent to ${on.map(({ definition }) => definition.title).join(', ')}`;
}

function partyLines({ thirdParties }: Settings, state: string, heading: string): SummaryLine[] {
  return thirdParties
    .filter((party) => party.state === state)
    .map((party, index) => [index === 0 ? heading : '', partyText(party)]);
}

function partyText({ title, state, needs, instead }: ThirdParty): string {
  if (state === 'real' || state === 'sandbox') return title;
  const does = instead === undefined ? '' : `: ${instead}`;
  return `${title}${does}${needs.length === 0 ? '' : ` (needs ${needs.join(', ')})`}`;
}
