import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** The paths of Chromium on Linux and macOS, fastest first. */
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Chromium's arguments in tests and measurements. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of the first Chromium that exists, or undefined. */
export function findBrowser(): string | undefined {
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...systemPaths];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

/**
 * Returns the path of Chromium, and installs a missing Chromium. Throws if the installation fails.
 */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  console.log('No Chromium found: installing Playwright’s own …');
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit', timeout: 300_000 });
  const own = findBrowser();
  if (own) return own;
  if (existsSync('/usr/bin/apt-get')) {
    console.log('Playwright’s download cannot be reached: installing Debian’s chromium …');
    const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
    const aptGet = (...step: string[]) => {
      const [command, ...args] = [...asRoot, 'apt-get', '-qq', ...step];
      const result = spawnSync(command as string, args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
      return result.status === 0;
    };
    aptGet('update');
    const install = (name: string) => aptGet('install', '-y', '--no-install-recommends', name);
    // Tries the full browser, because older Debian releases have no `chromium-headless-shell`.
    if (!install('chromium-headless-shell')) install('chromium');
  }
  const system = findBrowser();
  if (system) return system;
  throw new Error(
    'No Chromium could be installed: install one and set CHROMIUM_PATH to its executable.',
  );
}
