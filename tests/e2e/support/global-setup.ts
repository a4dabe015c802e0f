import { rmSync } from 'node:fs';
import { startStack } from './stack.ts';

/**
 * Starts one server with an embedded database, and one sandbox, for all browser tests. The environment passes
 * their addresses to the tests.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const stack = await startStack({
    // Only demo.spec.ts tests destinations other than the ingest service.
    EXCHANGE_URL: '',
    WEBHOOK_URL: '',
    WEBHOOK_SECRETS: '',
    SAVE_DATA_URL: '',
    VERIFICATION_URL: '',
    INGEST_WITH_VERIFICATION: 'off',
    // A lead without a chosen firm goes out at once; one-to-one.spec.ts tests the wait.
    CHOICE_WAIT_MINUTES: '0',
    SURVEY_OVERRIDES: JSON.stringify({
      '/survey/v5': { toggles: { combinedLastStep: true } },
      '/survey/short-b': { asksTimeframe: true },
    }),
  });
  process.env.E2E_BASE_URL = stack.url;
  process.env.E2E_SANDBOX_URL = stack.sandboxUrl;
  process.env.E2E_DATA_DIR = stack.dataDir;
  return async () => {
    await stack.stop();
    rmSync(stack.dataDir, { recursive: true, force: true });
  };
}
