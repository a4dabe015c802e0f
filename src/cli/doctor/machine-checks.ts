/** Checks the database, the clock, the disk and the site's public URL. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { type DiskSpace, isLow, spaceOf } from '../../server/platform/database/disk-space.ts';
import { OutgoingError, type OutgoingHttp } from '../../server/platform/outgoing-http.ts';
import { findRunningEmbeddedPostgres } from '../../server/platform/postgres/embedded-postgres.ts';
import type { Settings } from '../../server/settings/settings.ts';
import type { Finding } from './finding.ts';

/** The largest tolerable difference between two clocks in milliseconds. */
const CLOCK_MS = 5_000;
const CONNECT_MS = 5_000;
const PUBLIC_MS = 10_000;

/** Checks the main database and the database from which operators read. */
export async function checkDatabases({
  databaseUrl,
  operatorsDatabaseUrl: copyUrl,
  dataDir,
}: Pick<Settings, 'databaseUrl' | 'operatorsDatabaseUrl' | 'dataDir'>): Promise<Finding[]> {
  const url = databaseUrl ?? (await findRunningEmbeddedPostgres(dataDir, 0))?.connectionString;
  const stopped: Finding = {
    about: 'database',
    state: 'embedded',
    text: 'in DATA_DIR, not running',
    next: 'start the server, then run this again',
  };
  const see = databaseUrl === undefined ? 'the log of the server' : 'DATABASE_URL';
  const found = await Promise.all([
    url === undefined ? [stopped] : checkDatabase('database', url, see),
    copyUrl === undefined
      ? []
      : checkDatabase("operators' database", copyUrl, 'OPERATORS_DATABASE_URL'),
  ]);
  return found.flat();
}

/** Checks one database and its clock. `see`: where the operator should look after a failure. */
async function checkDatabase(
  about: string,
  connectionString: string,
  see: string,
): Promise<Finding[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ now_ms: string; version: string; has_ledger: boolean }>(
      `select extract(epoch from clock_timestamp()) * 1000 as now_ms,
         current_setting('server_version') as version,
         to_regclass('deliveries') is not null as has_ledger`,
    );
    return rows.flatMap(({ now_ms, version, has_ledger }) => {
      const text = `PostgreSQL ${version}${has_ledger ? '' : ', still empty'}`;
      const next = has_ledger ? undefined : 'start the server once to create the tables';
      return [{ about, state: 'works', text, next }, clockFinding(Number(now_ms), about)];
    });
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'no answer';
    return [{ about, state: 'wrong', text: `it does not answer (${code})`, next: `see ${see}` }];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Compares the clock of another machine with this machine's clock. */
export function clockFinding(otherMs: number, whose: string, nowMs = Date.now()): Finding {
  const apartMs = Math.round(Math.abs(nowMs - otherMs));
  const about = `clock, compared with ${whose}`;
  if (apartMs <= CLOCK_MS) return { about, state: 'works', text: `${apartMs} ms apart` };
  return {
    about,
    state: 'wrong',
    text: `${Math.round(apartMs / 1000)} s apart: times of consents and deliveries would be wrong`,
    next: 'turn on time synchronisation (NTP) on both machines',
  };
}

/** Checks the free space on the disk of DATA_DIR. */
export async function checkDisk(
  dataDir: string,
  space: (dir: string) => Promise<DiskSpace> = spaceOf,
): Promise<Finding> {
  const about = 'disk of DATA_DIR';
  // Before the first start DATA_DIR does not exist, so this looks for the closest existing parent.
  let dir = dataDir;
  while (!existsSync(dir) && path.dirname(dir) !== dir) dir = path.dirname(dir);
  const found = await space(dir);
  const text = `${(found.freeBytes / 2 ** 30).toFixed(1)} GiB free`;
  if (!isLow(found)) return { about, state: 'works', text };
  return { about, state: 'wrong', text, next: 'free some space, or set DATA_DIR to another disk' };
}

/** Checks how visitors reach the site: URL, TLS and reverse proxy. */
export async function checkPublicAddress(
  { publicUrl, trustedProxies }: Pick<Settings, 'publicUrl' | 'trustedProxies'>,
  http: OutgoingHttp,
  isProduction: boolean,
): Promise<Finding[]> {
  const about = 'public address';
  if (publicUrl === undefined) {
    const text = 'visitors’ links, the sitemap and social cards name this machine';
    const next = 'set PUBLIC_URL to the address that visitors see';
    return [{ about, state: isProduction ? 'wrong' : 'unfinished', text, next }];
  }
  const findings: Finding[] = [];
  const add = (state: Finding['state'], about: string, text: string, next?: string) =>
    findings.push({ about, state, text, next });
  const { protocol, hostname, host } = new URL(publicUrl);
  const isHttps = protocol === 'https:';
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (!isHttps && !isHere) {
    const next =
      'set PUBLIC_URL to an https address, and put a proxy with a certificate in front of the server';
    add('wrong', 'TLS', 'contact details would be sent unencrypted', next);
  }
  if (!isHere && trustedProxies.length === 0) {
    const text =
      'every visitor seems to have the proxy’s address: limits and consent records are wrong';
    const next = 'set TRUSTED_PROXIES to the addresses of your proxy';
    add(isHttps ? 'wrong' : 'unfinished', 'proxy headers', text, next);
  }
  const asked = { method: 'GET', url: `${publicUrl}/`, timeoutMs: PUBLIC_MS } as const;
  try {
    const { status, headers, durationMs } = await http.request(asked);
    const isPage = status === 200 && headers['content-type']?.startsWith('text/html');
    if (isPage) add('works', about, `${host} answers with a page in ${durationMs} ms`);
    else {
      const next = 'check PUBLIC_URL, the proxy, and whether the server runs';
      add('wrong', about, `${host} answers HTTP ${status}, not a page`, next);
    }
    // A Date header omits a fraction of a second, whose mean is 500 ms.
    if (headers.date) findings.push(clockFinding(Date.parse(headers.date) + 500, host));
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const next = 'check PUBLIC_URL, DNS, the certificate, and whether the server runs';
    add('wrong', about, error.message, next);
  }
  return findings;
}
