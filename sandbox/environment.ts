import type { SandboxCredentials } from './credentials.ts';
import type { StandIn } from './service.ts';
import { standIns } from './services/index.ts';

const servicesOf = (credentials: SandboxCredentials, created: readonly StandIn[] = standIns) =>
  created.map((standIn) =>
    standIn({
      credentials,
      now: () => new Date(),
      effect: () => true,
      sent: () => undefined,
    }),
  );

/** Returns the settings that direct a server to one stand-in. */
export function settingsOf(
  name: string,
  url: string,
  credentials: SandboxCredentials,
): Record<string, string> {
  return (
    servicesOf(credentials)
      .find((service) => service.name === name)
      ?.settings(url) ?? {}
  );
}

/** Returns the settings that load every script of a survey page from its stand-in. */
export function scriptSettings(
  url: string,
  credentials: SandboxCredentials,
): Record<string, string> {
  return Object.assign({}, ...servicesOf(credentials).map(({ scripts }) => scripts?.(url)));
}

/**
 * Returns the settings that make a server use a sandbox instead of the real third parties.
 * @param url base address of the sandbox, without a trailing slash
 * @param more stand-ins outside the sandbox's folder
 */
export function sandboxEnvironment(
  url: string,
  credentials: SandboxCredentials,
  more: readonly StandIn[] = [],
): Record<string, string> {
  return {
    SANDBOX_URL: url,
    // The sandbox is on loopback, and the server refuses private addresses by default.
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    ...Object.assign(
      {},
      ...servicesOf(credentials, [...standIns, ...more]).map(({ settings }) => settings(url)),
    ),
    ...scriptSettings(url, credentials),
  };
}
