import { defineConfig } from '@playwright/test';
import { browserArgs, findBrowser } from './scripts/browser.ts';

/** The two window sizes of every journey. */
const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

/** Phone only: files whose tests don't depend on the size, or set both sizes themselves. */
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
/** Desktop only: files that test the HTML or the keyboard, or set their own sizes. */
const onDesktopOnly = ['keyboard', 'look', 'pages', 'themes', 'zoom'].map(
  (name) => `**/${name}.spec.ts`,
);

const executablePath = findBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/global-setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // More than the two cores of CI: browser tests mostly wait.
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 7_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : [['line']],
  use: {
    launchOptions: { args: browserArgs, ...(executablePath ? { executablePath } : {}) },
    // The driver waits for animations to end. Slides have their own tests (taps.spec.ts).
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
      // Single phone-only tests in other files (ONLY_ON_PHONE).
      grepInvert: /@only-on-phone/,
      use: { viewport: desktop },
    },
  ],
});
