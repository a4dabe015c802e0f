import { rmSync } from 'node:fs';
import { startStack } from './stack.ts';

/**
 * One server with its own embedded database and one sandbox for all browser tests. Their addresses
 * reach the tests through the environment.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const stack = await startStack({
    // What is sent beside the lead is left to the test of it all (demo.spec.ts).
    EXCHANGE_URL: '',
    WEBHOOK_URL: '',
    WEBHOOK_SECRETS: '',
    SAVE_DATA_URL: '',
    VERIFICATION_URL: '',
    INGEST_WITH_VERIFICATION: 'off',
    // Nor does a lead without a chosen firm wait for a later choice (one-to-one.spec.ts).
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
