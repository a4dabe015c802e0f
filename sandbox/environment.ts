import { standIns } from './services/index.ts';

/** Returns the settings that make a server use the named stand-in at `url`. */
export function settingsOf(name: string, url: string): Record<string, string> {
  return standIns.find((each) => each.name === name)?.settings?.(url) ?? {};
}

/** Returns the settings that make survey pages load every third-party script from the sandbox. */
export function scriptSettings(url: string): Record<string, string> {
  return Object.assign({}, ...standIns.map(({ scripts }) => scripts?.(url)));
}

/** Returns the settings that make a server use the sandbox at `url`. */
export function sandboxEnvironment(url: string): Record<string, string> {
  return {
    SANDBOX_URL: url,
    // Allows calls to private IP addresses, because the sandbox has a private IP address.
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    ...Object.assign({}, ...standIns.map(({ settings }) => settings?.(url))),
    ...scriptSettings(url),
  };
}
