import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** Where distributions put Chromium; first the one without windows, which is half again as fast. */
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Chromium, as it is started for tests and measurements: headless, quiet, and without the network's help. */
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

/** A Chromium that is there: `CHROMIUM_PATH`, Playwright's own, or the system's; undefined if none is. */
export function findBrowser(): string | undefined {
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...systemPaths];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

/**
 * A Chromium, installed first where none is: Playwright's own download, and where that cannot be
 * reached, one of Debian's packages.
 *
 * @returns the path of the executable
 * @throws when none can be had, saying what to do
 */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  console.log('No Chromium here yet: installing Playwright’s own …');
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit', timeout: 300_000 });
  const own = findBrowser();
  if (own) return own;
  if (existsSync('/usr/bin/apt-get')) {
    console.log('Playwright’s download is out of reach: installing Debian’s chromium …');
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
    // Older releases have only the whole browser.
    if (!install('chromium-headless-shell')) install('chromium');
  }
  const system = findBrowser();
  if (system) return system;
  throw new Error('No Chromium to be had: install one and set CHROMIUM_PATH to its executable.');
}
