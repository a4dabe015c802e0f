import { defineConfig } from 'vitest/config';

/** In every project: a busy machine is no failure. */
const patience = {
  hookTimeout: 240_000,
  testTimeout: 240_000,
  setupFiles: ['tests/support/patience.ts'],
  expect: { poll: { timeout: 120_000 } },
  // Messages name what was found; `npm test` cuts them.
  chaiConfig: { truncateThreshold: 0 },
};

export default defineConfig({
  test: {
    // One database for all projects of a run.
    globalSetup: 'tests/support/postgres.ts',
    teardownTimeout: 120_000,
    projects: [
      {
        test: {
          ...patience,
          name: 'unit',
          // Files share a worker, and what they import is loaded once: no test leaves anything behind.
          isolate: false,
          maxWorkers: 3,
          include: [
            'src/**/*.test.{ts,tsx}',
            'sandbox/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/conformance/**/*.test.ts',
          ],
        },
      },
      {
        // The server against a real database.
        test: {
          ...patience,
          name: 'integration',
          // As in unit tests.
          isolate: false,
          include: ['tests/integration/**/*.test.ts'],
          maxWorkers: 3,
        },
      },
      {
        // Kills and outages of whole servers: most of it is waiting, so several at once.
        test: {
          ...patience,
          name: 'faults',
          isolate: false,
          include: ['tests/faults/**/*.test.ts'],
          maxWorkers: 4,
        },
      },
      {
        // A database with a standby, where its programs are installed. Each file has its own.
        test: {
          ...patience,
          name: 'failover',
          include: ['tests/failover/**/*.test.ts'],
          fileParallelism: false,
        },
      },
    ],
  },
});
