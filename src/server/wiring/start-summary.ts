/** Summarises a start: where leads are stored and sent. */
import path from 'node:path';
import type { Settings } from '../settings/settings.ts';
import type { RunningServer } from './server.ts';

/** One line of the summary. */
export type SummaryLine = readonly [about: string, text: string];

/** Returns the summary's lines. No line contains passwords, keys or accounts. */
export function startSummary(
  settings: Settings,
  console: SummaryLine,
  others: readonly SummaryLine[] = [],
): string[] {
  const lines: SummaryLine[] = [
    console,
    ['Leads', `stored ${databaseText(settings)}; ${leadsText(settings)}`],
    ...others,
  ];
  const width = Math.max(...lines.map(([about]) => about.length)) + 2;
  return lines.map(([about, text]) => `  ${about.padEnd(width)}${text}`);
}

/** Returns the summary's line about the console, with a link that signs in an admin. */
export async function consoleLine(console: RunningServer['console']): Promise<SummaryLine> {
  if (console === undefined) return ['Console', 'off'];
  const link = await console.makeStartLink();
  const text =
    link === undefined
      ? `${console.url} (new people: "npm run console -- invite <email> --role operator")`
      : `${link} (signs you in once, within 15 minutes)`;
  return ['Console', text];
}

/** Returns the summary as one log record. */
export function startRecord(settings: Settings, { url, operationsUrl, console }: RunningServer) {
  return {
    url,
    operationsUrl: operationsUrl ?? null,
    consoleUrl: console?.url ?? null,
    database: settings.databaseUrl === undefined ? 'embedded' : 'DATABASE_URL',
    deliveryConcurrency: settings.deliveryConcurrency,
    thirdParties: Object.fromEntries(settings.thirdParties.map(({ name, state }) => [name, state])),
  };
}

function databaseText({ databaseUrl, dataDir }: Settings): string {
  if (databaseUrl === undefined) return `in ${path.join(dataDir, 'postgres')}`;
  const { host, pathname } = new URL(databaseUrl);
  const name = decodeURIComponent(pathname).slice(1) || 'the default database';
  return `in ${name} at ${host || 'this machine'}`;
}

function leadsText({ destinations, deliveryConcurrency }: Settings): string {
  const on = destinations.filter(({ values }) => values !== undefined);
  if (on.length === 0) return 'sent nowhere yet, because no destination is set up';
  const by = deliveryConcurrency === 0 ? ' by another process: DELIVERY_CONCURRENCY is 0 here' : '';
  return `sent to ${on.map(({ definition }) => definition.title).join(', ')}${by}`;
}
