/** Looks at everything that an operator has to set up, once (docs/operations.md). */

import { loadSettings, parseSettings, type Settings } from '../config/settings.ts';
import { SettingsError } from '../config/settings-error.ts';
import type { DestinationDefinition } from '../destinations/destination.ts';
import { createOutgoingHttp } from '../providers/outgoing-http.ts';
import type { Finding } from './finding.ts';
import { checkDatabase, checkDisk, checkPublicAddress } from './machine-checks.ts';
import { checkSite } from './site-checks.ts';
import { checkThirdParties } from './third-party-checks.ts';

/** Returns the findings about the settings of `environment`; without it, those of the process and `.env`. */
export async function examine(
  environment?: NodeJS.ProcessEnv,
  definitions?: readonly DestinationDefinition[],
): Promise<Finding[]> {
  try {
    const { settings, warnings } = environment
      ? parseSettings(environment, definitions)
      : loadSettings(definitions);
    const slips = warnings.map(
      (text): Finding => ({
        about: 'settings',
        state: 'unfinished',
        text,
        next: 'see .env.example',
      }),
    );
    const isProduction = (environment ?? process.env).NODE_ENV === 'production';
    return [...slips, ...(await examineSettings(settings, isProduction))];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message
      .split('\n')
      .map(
        (text): Finding => ({ about: 'settings', state: 'wrong', text, next: 'see .env.example' }),
      );
  }
}

async function examineSettings(settings: Settings, isProduction: boolean): Promise<Finding[]> {
  const http = createOutgoingHttp({ allowPrivateNetworks: settings.allowsPrivateNetworks });
  // The site's own address may be a private one, seen from here.
  const anywhere = createOutgoingHttp({ allowPrivateNetworks: true });
  try {
    const [database, disk, address, parties] = await Promise.all([
      checkDatabase(settings),
      checkDisk(settings.dataDir),
      checkPublicAddress(settings, anywhere, isProduction),
      checkThirdParties(settings, http),
    ]);
    return [
      ...database,
      disk,
      ...address,
      ...parties,
      ...checkSite(settings, new Date(), isProduction),
    ];
  } finally {
    await Promise.all([http.close(), anywhere.close()]);
  }
}
