/**
 * `npm run doctor`: checks everything that an operator has to set up (docs/operations.md). Exit codes: 0 nothing is
 * wrong, 1 something is wrong, 2 wrong usage.
 */
import process from 'node:process';
import { findRunningEmbeddedPostgres } from '../../postgres/embedded-postgres.ts';
import { createOutgoingHttp, type OutgoingHttp } from '../base/outgoing-http.ts';
import { thirdPartyProbes } from '../checks/probes.ts';
import { operatorsEnvironment, ownDataDir } from '../config/environment.ts';
import { parseSettings, type Settings, SettingsError } from '../config/settings.ts';
import type { ThirdParty } from '../config/third-parties.ts';
import { type Finding, isSick, reportText } from './finding.ts';
import { checkDatabase, checkDisk, checkPublicAddress } from './machine-checks.ts';
import { checkSite } from './site-checks.ts';

/**
 * Checks the settings of an environment. Default: the process's own with `.env`, plus the settings of a demo that
 * runs on the same data.
 */
export async function examine(given?: NodeJS.ProcessEnv): Promise<Finding[]> {
  const aboutSettings = (state: Finding['state'], sentences: readonly string[]) =>
    sentences.map(
      (text): Finding => ({ about: 'settings', state, text, next: 'see .env.example' }),
    );
  try {
    const environment = given ?? (await ownEnvironment());
    const { settings, warnings } = parseSettings(environment);
    const isProduction = environment.NODE_ENV === 'production';
    return [
      ...aboutSettings('unfinished', warnings),
      ...(await examineSettings(settings, isProduction)),
    ];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return aboutSettings('wrong', error.message.split('\n'));
  }
}

/** Ignores the settings of a demo that no longer runs, as the next start may be the live site's. */
async function ownEnvironment(): Promise<NodeJS.ProcessEnv> {
  const isRunning = (await findRunningEmbeddedPostgres(ownDataDir(), 0)) !== undefined;
  return operatorsEnvironment(isRunning);
}

async function examineSettings(settings: Settings, isProduction: boolean): Promise<Finding[]> {
  const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
  // Seen from here, the site's own address may be in a private network.
  const anywhere = createOutgoingHttp({ allowPrivateNetworks: true });
  try {
    const [database, disk, address, parties] = await Promise.all([
      checkDatabase(settings),
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

/** Returns a finding for each third party, in the order of the start summary. */
async function checkThirdParties(settings: Settings, http: OutgoingHttp): Promise<Finding[]> {
  const probes = thirdPartyProbes(settings, http);
  return Promise.all(
    settings.thirdParties.map(async (party): Promise<Finding> => {
      if (party.state === 'off' || party.state === 'embedded') return withoutAccount(party);
      const { state, text: found } = (await probes[party.name]?.()) ?? {
        state: 'not_tried',
        text: 'set up; open a page that uses it',
      };
      const text = party.state === 'sandbox' ? `the sandbox: ${found}` : found;
      const next = state === 'wrong' ? `check ${party.needs.join(', ')}` : undefined;
      return { about: party.title, state, text, next };
    }),
  );
}

function withoutAccount({ title, state, needs, instead }: ThirdParty): Finding {
  const text = instead ?? 'nothing replaces it';
  const next = needs.length > 0 ? `to turn it on: ${needs.join(', ')}` : undefined;
  return { about: title, state: state === 'embedded' ? 'embedded' : 'off', text, next };
}

const USAGE = `Usage: npm run doctor

Checks the machine, the settings, the database and the site, and makes a test call to every third party
(docs/operations.md). It takes no options.`;

async function run([argument]: readonly string[]): Promise<number> {
  if (argument !== undefined) {
    console.error(USAGE);
    return argument === '--help' ? 0 : 2;
  }
  const findings = await examine();
  console.log(reportText(findings));
  return isSick(findings) ? 1 : 0;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
