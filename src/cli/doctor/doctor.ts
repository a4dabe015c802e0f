/** `npm run doctor`: checks the set-up (docs/operations.md). Exit code 1: something is wrong. */
import process from 'node:process';
import { createOutgoingHttp, type OutgoingHttp } from '../../server/platform/outgoing-http.ts';
import { findRunningEmbeddedPostgres } from '../../server/platform/postgres/embedded-postgres.ts';
import { operatorsEnvironment, ownDataDir } from '../../server/settings/environment.ts';
import { thirdPartyProbes } from '../../server/settings/probes.ts';
import { parseSettings, type Settings, SettingsError } from '../../server/settings/settings.ts';
import type { ThirdParty } from '../../server/settings/third-parties.ts';
import { type Finding, isSick, reportText } from './finding.ts';
import { checkDatabases, checkDisk, checkPublicAddress } from './machine-checks.ts';
import { checkSite } from './site-checks.ts';

/** Runs all checks. Default settings: the environment, `.env` and those of a running demo. */
export async function examine(given?: NodeJS.ProcessEnv): Promise<Finding[]> {
  const about = { about: 'settings', next: 'see .env.example' };
  try {
    // The next server may be the live site, so the settings of an ended demo are ignored.
    const isRunning = async () =>
      (await findRunningEmbeddedPostgres(ownDataDir(), 0)) !== undefined;
    const environment = given ?? operatorsEnvironment(await isRunning());
    const { settings, warnings } = parseSettings(environment);
    const findings = await examineSettings(settings, environment.NODE_ENV === 'production');
    return [
      ...warnings.map((text) => ({ ...about, state: 'unfinished' as const, text })),
      ...findings,
    ];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n').map((text) => ({ ...about, state: 'wrong', text }));
  }
}

async function examineSettings(settings: Settings, isProduction: boolean): Promise<Finding[]> {
  const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
  // This machine may reach the site at a private IP address.
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
      return { about: title, state, text: instead ?? 'nothing replaces it', next };
    }
    const untried = { state: 'not_tried', text: 'set up; open a page that uses it' } as const;
    const found = (await probes[name]?.()) ?? untried;
    const text = state === 'sandbox' ? `the sandbox: ${found.text}` : found.text;
    const next = found.state === 'wrong' ? `check ${needs.join(', ')}` : undefined;
    return { about: title, state: found.state, text, next };
  };
  return Promise.all(settings.thirdParties.map(check));
}

if (import.meta.main) {
  const findings = await examine();
  console.log(reportText(findings));
  process.exitCode = isSick(findings) ? 1 : 0;
}
