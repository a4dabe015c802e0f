import type { StandIn } from './service.ts';
import { standIns } from './services/index.ts';

const servicesOf = (created: readonly StandIn[]) => {
  const nothing = { now: () => new Date(), effect: () => true, sent: () => undefined };
  return created.map((standIn) => standIn({ ...nothing, memory: () => new Map() }));
};

/** Returns the settings that direct a server to one stand-in. */
export function settingsOf(name: string, url: string): Record<string, string> {
  const service = servicesOf(standIns).find((each) => each.name === name);
  return service?.settings?.(url) ?? {};
}

/** Returns the settings that load every script of a survey page from its stand-in. */
export function scriptSettings(url: string): Record<string, string> {
  return Object.assign({}, ...servicesOf(standIns).map(({ scripts }) => scripts?.(url)));
}

/**
 * Returns the settings that make a server use a sandbox instead of the real third parties.
 * @param url base address of the sandbox, without a trailing slash
 * @param more stand-ins outside the sandbox's folder
 */
export function sandboxEnvironment(
  url: string,
  more: readonly StandIn[] = [],
): Record<string, string> {
  const services = servicesOf([...standIns, ...more]);
  return {
    SANDBOX_URL: url,
    // The sandbox is on loopback, and the server refuses private addresses by default.
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    ...Object.assign({}, ...services.map(({ settings }) => settings?.(url))),
    ...scriptSettings(url),
  };
}
