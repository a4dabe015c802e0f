/** `npm run doctor`: checks the set-up (docs/operations.md). */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { addDays, type CalendarDate, calendarDate, formatIso } from '../../model/fields/dates.ts';
import { isDemoName } from '../../model/messages/site-settings.ts';
import {
  type StateRuleSettings,
  stateDecision,
  stateRules,
} from '../../model/rules/state-rules.ts';
import type { Queryable } from '../../server/platform/database/database.ts';
import { type DiskSpace, isLow, spaceOf } from '../../server/platform/database/disk-space.ts';
import {
  createOutgoingHttp,
  OutgoingError,
  type OutgoingHttp,
} from '../../server/platform/outgoing-http.ts';
import { findRunningEmbeddedPostgres } from '../../server/platform/postgres/embedded-postgres.ts';
import { operatorsEnvironment, ownDataDir } from '../../server/settings/environment.ts';
import { thirdPartyProbes } from '../../server/settings/probes.ts';
import { parseSettings, type Settings, SettingsError } from '../../server/settings/settings.ts';
import type { ThirdParty } from '../../server/settings/third-parties.ts';
import type { VariableName } from '../../server/settings/variables.ts';
import { hasPlaceholderName, washingtonFirms } from '../../web/site/sponsor-list.ts';
import { checkBuyers } from './check-buyers.ts';

/** The result of one check. */
export type Finding = {
  readonly about: string;
  readonly state: 'works' | 'embedded' | 'off' | 'not_tried' | 'unfinished' | 'wrong';
  readonly text: string;
  /** The operator's next step, with the name of the setting. */
  readonly next?: string | undefined;
};

const finding = (about: string, state: Finding['state'], text: string, next?: string): Finding => ({
  about,
  state,
  text,
  next,
});

/** Runs all checks. */
export async function examine(given?: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    // Uses the settings of a demo only while the demo runs.
    const isRunning = async () =>
      (await findRunningEmbeddedPostgres(ownDataDir(), 0)) !== undefined;
    const environment = given ?? operatorsEnvironment(await isRunning());
    return await examineSettings(parseSettings(environment), environment.NODE_ENV === 'production');
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = error.message.split('\n');
    return problems.map((text) => finding('settings', 'wrong', text, 'see .env.example'));
  }
}

async function examineSettings(settings: Settings, isProduction: boolean): Promise<Finding[]> {
  const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
  // Allows private IP addresses, because the site may have one in this machine's network.
  const anywhere = createOutgoingHttp({ allowPrivateNetworks: true });
  try {
    const [database, disk, address, parties] = await Promise.all([
      checkDatabases(settings),
      checkDisk(settings.dataDir),
      checkPublicAddress(settings, anywhere, isProduction),
      checkThirdParties(settings, http),
    ]);
    const site = checkSite(settings, new Date(), isProduction);
    return [...database, disk, ...address, ...parties, ...site];
  } finally {
    await Promise.all([http.close(), anywhere.close()]);
  }
}

/** Returns a finding for each third party, in the order of the server's start summary. */
function checkThirdParties(settings: Settings, http: OutgoingHttp) {
  const probes = thirdPartyProbes(settings, http);
  const check = async ({ name, title, state, needs, instead }: ThirdParty): Promise<Finding> => {
    if (state === 'off' || state === 'embedded') {
      const next = needs.length > 0 ? `to turn it on: ${needs.join(', ')}` : undefined;
      return finding(title, state, instead ?? 'nothing replaces it', next);
    }
    const untried = { state: 'not_tried', text: 'set up; open a page that uses it' } as const;
    const found = (await probes[name]?.()) ?? untried;
    const text = state === 'sandbox' ? `the sandbox: ${found.text}` : found.text;
    const next = found.state === 'wrong' ? `check ${needs.join(', ')}` : undefined;
    return finding(title, found.state, text, next);
  };
  return Promise.all(settings.thirdParties.map(check));
}

/** The largest tolerable difference between two clocks in milliseconds. */
const CLOCK_MS = 5_000;
const CONNECT_MS = 5_000;
const PUBLIC_MS = 10_000;

/** Checks the main database and the database of OPERATORS_DATABASE_URL. */
async function checkDatabases(settings: Settings): Promise<Finding[]> {
  const { databaseUrl, operatorsDatabaseUrl: copyUrl, dataDir } = settings;
  const url = databaseUrl ?? (await findRunningEmbeddedPostgres(dataDir, 0))?.connectionString;
  const next = 'start the server, then run this again';
  const stopped = finding('database', 'embedded', 'in DATA_DIR, not running', next);
  const see = databaseUrl === undefined ? 'the log of the server' : 'DATABASE_URL';
  const found = await Promise.all([
    url === undefined ? [stopped] : checkDatabase('database', url, see, settings),
    copyUrl === undefined
      ? []
      : checkDatabase("operators' database", copyUrl, 'OPERATORS_DATABASE_URL'),
  ]);
  return found.flat();
}

/** Checks one database and its clock. */
async function checkDatabase(
  about: string,
  connectionString: string,
  see: string,
  settings?: Settings,
): Promise<Finding[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ now_ms: string; version: string; has_ledger: boolean }>(
      `select extract(epoch from clock_timestamp()) * 1000 as now_ms,
         current_setting('server_version') as version,
         to_regclass('deliveries') is not null as has_ledger`,
    );
    const states = rows[0]?.has_ledger ? await readRecentStates(client) : [];
    const ofStates = settings ? checkStateRules(states, settings) : [];
    const ofBuyers = settings && rows[0]?.has_ledger ? await checkBuyers(client, settings) : [];
    const ofDatabase = rows.flatMap(({ now_ms, version, has_ledger }): Finding[] => {
      const text = `PostgreSQL ${version}${has_ledger ? '' : ', still empty'}`;
      const next = has_ledger ? undefined : 'start the server once to create the tables';
      return [finding(about, 'works', text, next), clockFinding(Number(now_ms), about)];
    });
    return [...ofDatabase, ...ofStates, ...ofBuyers];
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'no answer';
    return [finding(about, 'wrong', `it does not answer (${code})`, `see ${see}`)];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the states from which leads came in the last 30 days. */
export async function readRecentStates(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ state: string }>(
    `select value as state from hourly_counts
     where dimension = 'state' and survey = '' and hour >= now() - interval '30 days'
     group by value having sum(accepted + held) > 0 order by value`,
  );
  return rows.map(({ state }) => state);
}

/** Maximum age of the last check of a rule. */
const RULE_CHECKED_DAYS = 180;

/** Returns a finding for each undecided rule of these states, and for each old check of a rule. */
export function checkStateRules(
  states: readonly string[],
  { stateRules: settings, timeZone }: Readonly<{ stateRules: StateRuleSettings; timeZone: string }>,
  today: CalendarDate = calendarDate(new Date(), timeZone),
): Finding[] {
  const ofStates = states.flatMap((state) => {
    const { decision, rule } = stateDecision(state, today, settings);
    if (decision !== 'needs_basis') return [];
    const are = settings.undecided === 'hold' ? 'held' : 'delivered';
    const text = `its leads are ${are}, and you stated no basis for their sale (${rule?.source ?? 'STATE_RULES'})`;
    const next = `ask your lawyer; then set STATE_RULES to {"${state}":[{"decision":"…","reason":"…"}]}`;
    return [finding(`rule of ${state}`, 'unfinished', text, next)];
  });
  const applying = states.length > 0 ? [...states, 'US'] : [];
  const checkedSince = formatIso(addDays(today, -RULE_CHECKED_DAYS));
  const old = stateRules.filter(
    ({ state, checkedOn }) => applying.includes(state) && checkedOn < checkedSince,
  );
  const ofRules = old.map(({ id, url, checkedOn }) => {
    const next = `read ${url}, then correct src/model/rules/state-rules.json`;
    return finding(`rule ${id}`, 'unfinished', `last checked on ${checkedOn}`, next);
  });
  return [...ofStates, ...ofRules];
}

/** Compares the clock of another machine with this machine's clock. */
export function clockFinding(otherMs: number, whose: string, nowMs = Date.now()): Finding {
  const apartMs = Math.round(Math.abs(nowMs - otherMs));
  const about = `clock, compared with ${whose}`;
  if (apartMs <= CLOCK_MS) return finding(about, 'works', `${apartMs} ms apart`);
  const text = `${Math.round(apartMs / 1000)} s apart: times of consents and deliveries would be wrong`;
  return finding(about, 'wrong', text, 'turn on time synchronisation (NTP) on both machines');
}

/** Checks the free space on the disk of DATA_DIR. */
export async function checkDisk(
  dataDir: string,
  space: (dir: string) => Promise<DiskSpace> = spaceOf,
): Promise<Finding> {
  const about = 'disk of DATA_DIR';
  // Before the first start, DATA_DIR does not exist, so this checks the closest existing parent.
  let dir = dataDir;
  while (!existsSync(dir) && path.dirname(dir) !== dir) dir = path.dirname(dir);
  const found = await space(dir);
  const text = `${(found.freeBytes / 2 ** 30).toFixed(1)} GiB free`;
  if (!isLow(found)) return finding(about, 'works', text);
  return finding(about, 'wrong', text, 'free some space, or set DATA_DIR to another disk');
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
    return [finding(about, isProduction ? 'wrong' : 'unfinished', text, next)];
  }
  const findings: Finding[] = [];
  const add = (...of: Parameters<typeof finding>) => findings.push(finding(...of));
  const { protocol, hostname, host } = new URL(publicUrl);
  const isHttps = protocol === 'https:';
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (!isHttps && !isHere) {
    const next =
      'set PUBLIC_URL to an https address, and put a proxy with a certificate in front of the server';
    add('TLS', 'wrong', 'contact details would be sent unencrypted', next);
  }
  if (!isHere && trustedProxies.length === 0) {
    const text =
      'every visitor seems to have the proxy’s address: limits and consent records are wrong';
    const next = 'set TRUSTED_PROXIES to the addresses of your proxy';
    add('proxy headers', isHttps ? 'wrong' : 'unfinished', text, next);
  }
  const asked = { method: 'GET', url: `${publicUrl}/`, timeoutMs: PUBLIC_MS } as const;
  try {
    const { status, headers, durationMs } = await http.request(asked);
    const isPage = status === 200 && headers['content-type']?.startsWith('text/html');
    if (isPage) add(about, 'works', `${host} answers with a page in ${durationMs} ms`);
    else {
      const next = 'check PUBLIC_URL, the proxy, and whether the server runs';
      add(about, 'wrong', `${host} answers HTTP ${status}, not a page`, next);
    }
    // A Date header omits milliseconds, so this adds their mean of 500 ms.
    if (headers.date) findings.push(clockFinding(Date.parse(headers.date) + 500, host));
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const next = 'check PUBLIC_URL, DNS, the certificate, and whether the server runs';
    add(about, 'wrong', error.message, next);
  }
  return findings;
}

const PAGES = path.join(import.meta.dirname, '..', '..', '..', 'content', 'pages');
/** Pages that a lawyer must check. */
const LEGAL_PAGES = '*/{privacy-policy,terms-of-use,about-us}.md';
/** The time for which a lawyer's check is valid. */
const CHECKED_MS = 365 * 86_400_000;

/** Settings whose defaults mislead visitors on a live site. */
const MISLEADING: readonly string[] = ['PHONE_NUMBER', 'CONTACT_EMAIL'];

const nobody = 'visitors’ calls and messages reach nobody';
const noNote = 'the about page shows no person who answers for the site';
const noHours = 'callers cannot see when someone answers';
/** What visitors see or miss while a setting has its default. */
const DEFAULTS: Readonly<Partial<Record<VariableName, string>>> = {
  PHONE_NUMBER: nobody,
  CONTACT_EMAIL: nobody,
  COMPANY_NAME: 'the site has the name of the example',
  LEGAL_ENTITY: 'visitors cannot see which company runs the site',
  POSTAL_ADDRESS: 'visitors cannot see where the company is',
  FOUNDER_NAME: 'nobody signs the note on the about page',
  FOUNDER_NOTE: noNote,
  FOUNDER_NOTE_ES: noNote,
  REVIEWER: 'no guide names a lawyer who checked it',
  CALL_HOURS: noHours,
  CALL_HOURS_ES: noHours,
};

/** Returns findings about texts and settings that still have the project's defaults. */
export function checkSite(
  { site, surveys, fallbackBuyers, destinations, lines }: Settings,
  now: Date,
  isProduction: boolean,
): Finding[] {
  const findings: Finding[] = [];
  // On a live site, the example company's details would mislead visitors.
  const state = isProduction ? 'wrong' : 'unfinished';
  const misleading = (about: string, text: string, next: string) =>
    findings.push(finding(about, state, text, next));
  for (const [name, text] of Object.entries(DEFAULTS)) {
    if (!lines.some((line) => line.name === name && line.isDefault)) continue;
    const about = name.toLowerCase().replaceAll('_', ' ');
    const own = MISLEADING.includes(name) ? state : 'unfinished';
    findings.push(finding(about, own, text, `set ${name}`));
  }
  const placeholders = 'their names are placeholders, which visitors would consent to';
  if (fallbackBuyers.some(hasPlaceholderName)) {
    const next = 'set FALLBACK_BUYER_NAMES to the names of the firms';
    misleading('fallback buyers', placeholders, next);
  }
  for (const { path: survey, buyers } of surveys) {
    if (!buyers || buyers === 'fetched' || !buyers.some(hasPlaceholderName)) continue;
    const next = `set SURVEY_OVERRIDES to {"${survey}":{"buyers":[{"name":"…","ids":["…"]}]}}`;
    misleading(`buyers of ${survey}`, placeholders, next);
  }
  if (washingtonFirms(site.authorizedFirms).length === 0) {
    const text =
      'unless the visitor chooses firms, they go out without an authorization (RCW 19.373)';
    const next =
      'set EVIDENCE_RECIPIENTS to {"ingest":"…"} with the firm’s name and contact details';
    misleading('leads from Washington', text, next);
  }
  const { entity, founderName, reviewer } = site.publisher;
  if ([entity, founderName, reviewer?.name].some(isDemoName)) {
    const text = 'the pages name the company or people of the demo';
    misleading(
      'names of the demo',
      text,
      'set LEGAL_ENTITY, FOUNDER_NAME and REVIEWER to real ones',
    );
  }
  if (destinations.some(({ values }) => values?.INGEST_CALL_DETAILS === 'keep')) {
    const text = 'firms do not get the language and the time that visitors choose for the call';
    const next = 'add the fields to the campaign, then set INGEST_CALL_DETAILS=send';
    findings.push(finding('wishes for the call', 'off', text, next));
  }
  return [...findings, ...checkLegalPages(now)];
}

/** Returns the day on which a page of `content/pages/` was last checked. */
function checkedOf(file: string): string | undefined {
  const text = readFileSync(path.join(PAGES, file), 'utf8');
  return /^checked: "(\d{4}-\d{2}-\d{2})"$/m.exec(text)?.[1];
}

function checkLegalPages(now: Date): Finding[] {
  const next = 'have a lawyer read it for your company and states; then set "checked" above it';
  return globSync(LEGAL_PAGES, { cwd: PAGES }).map((file) => {
    const checked = checkedOf(file);
    const about = `content/pages/${file}`;
    if (checked === undefined) return finding(about, 'unfinished', 'never marked as checked', next);
    return now.getTime() - Date.parse(checked) > CHECKED_MS
      ? finding(about, 'unfinished', `last checked on ${checked}`, next)
      : finding(about, 'not_tried', `checked on ${checked}; needs a lawyer`, next);
  });
}

const WIDTH = 'unfinished'.length + 2;

/** Returns whether any finding is `wrong`. */
export const isSick = (findings: readonly Finding[]) =>
  findings.some(({ state }) => state === 'wrong');

/** Returns the report, with one line for each finding and the next step below that line. */
export function reportText(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ about, state, text, next }) => {
      const isToDo = state === 'unfinished' || state === 'wrong';
      const word = isToDo ? state.toUpperCase() : state.replace('_', ' ');
      const line = `${word.padEnd(WIDTH)}${about}: ${text}`;
      return next === undefined ? [line] : [line, `${' '.repeat(WIDTH)}→ ${next}`];
    })
    .join('\n');
}

if (import.meta.main) {
  const findings = await examine();
  console.log(reportText(findings));
  process.exitCode = isSick(findings) ? 1 : 0;
}
