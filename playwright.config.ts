import { defineConfig } from '@playwright/test';
import { browserArgs, findBrowser } from './scripts/browser.ts';
import { phone } from './tests/e2e/support/windows.ts';

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
  // Generous, because a busy machine is no failure.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : [['line']],
  use: {
    ...phone,
    launchOptions: { args: browserArgs, ...(executablePath ? { executablePath } : {}) },
    // The driver waits for animations to end. Slides have their own tests (taps.spec.ts).
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
