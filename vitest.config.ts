import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Property tests on a busy machine; nothing here waits for time.
          testTimeout: 30_000,
          include: [
            'src/**/*.test.{ts,tsx}',
            'sandbox/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/conformance/**/*.test.ts',
          ],
        },
      },
      {
        // Tests of the server against a real database: one file at a time.
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        // Tests with a real database and real processes: one file at a time, generous limits.
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
