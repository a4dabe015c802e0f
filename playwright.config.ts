import { defineConfig } from '@playwright/test';
import { browserArgs, findBrowser } from './scripts/browser.ts';
import { phone } from './tests/browser/support/checks.ts';

const executablePath = findBrowser();

/** `npm test` runs what is not tagged `@all`, `npm run test:all` everything. */
export default defineConfig({
  testDir: 'tests/browser',
  globalSetup: './tests/browser/support/global-setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  // Generous, because a busy machine is no failure.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : [['line']],
  use: {
    // The driver waits for animations to end.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'chromium',
      testIgnore: 'engines.spec.ts',
      use: {
        ...phone,
        launchOptions: { args: browserArgs, ...(executablePath ? { executablePath } : {}) },
      },
    },
    ...(['firefox', 'webkit'] as const).map((browserName) => ({
      name: browserName,
      testMatch: 'engines.spec.ts',
      use: { browserName, viewport: phone.viewport },
    })),
  ],
});
