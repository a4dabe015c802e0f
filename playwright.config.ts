import { defineConfig } from '@playwright/test';
import { browserArgs, findBrowser } from './scripts/browser.ts';

/** Phone and desktop: the two sizes that every journey is walked at. */
const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

/** Where the size makes no difference, or where a walk looks at both: on the phone only. */
const onPhoneOnly = [
  'browser-queue',
  'canary',
  'contact',
  'demo',
  'endings',
  'errors',
  'forms',
  'navigation',
  'one-to-one',
  'page-scripts',
  'phone-screens',
  'scripts',
  'sms',
  'surveys',
  'thank-you',
].map((name) => `**/${name}.spec.ts`);
/** The same HTML at every size, the keyboard that phones do not have, and what sets its own sizes. */
const onDesktopOnly = ['keyboard', 'look', 'pages', 'themes', 'zoom'].map(
  (name) => `**/${name}.spec.ts`,
);

const executablePath = findBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/global-setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // More than the two cores of CI: much of a browser test is waiting.
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 7_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : [['line']],
  use: {
    launchOptions: { args: browserArgs, ...(executablePath ? { executablePath } : {}) },
    // A driver waits for what slides; slides have tests of their own (taps.spec.ts).
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'phone',
      testIgnore: onDesktopOnly,
      use: { viewport: phone, hasTouch: true, isMobile: true },
    },
    {
      name: 'desktop',
      testIgnore: onPhoneOnly,
      // Single tests of the other files (ONLY_ON_PHONE).
      grepInvert: /@only-on-phone/,
      use: { viewport: desktop },
    },
  ],
});
