import type { StandIn } from './service.ts';
import { standIns } from './services/index.ts';

const servicesOf = (created: readonly StandIn[]) => {
  const nothing = { now: () => new Date(), effect: () => true, sent: () => undefined };
  return created.map((standIn) => standIn({ ...nothing, memory: () => new Map() }));
};

/** Returns the settings that make a server use the named stand-in at `url`. */
export function settingsOf(name: string, url: string): Record<string, string> {
  const service = servicesOf(standIns).find((each) => each.name === name);
  return service?.settings?.(url) ?? {};
}

/** Returns the settings that make survey pages load every third-party script from the sandbox. */
export function scriptSettings(url: string): Record<string, string> {
  return Object.assign({}, ...servicesOf(standIns).map(({ scripts }) => scripts?.(url)));
}

/** Returns the settings that make a server use the sandbox at `url`. */
export function sandboxEnvironment(url: string): Record<string, string> {
  const services = servicesOf(standIns);
  return {
    SANDBOX_URL: url,
    // Allows calls to private IP addresses, because the sandbox has a private IP address.
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    ...Object.assign({}, ...services.map(({ settings }) => settings?.(url))),
    ...scriptSettings(url),
  };
}
