import { startDemo } from './demo.ts';
import { expectNoViolation } from './sandbox.ts';
import { surveyOverrides } from './survey-table.ts';

/**
 * Starts `npm run demo` once for all browser tests, and passes its addresses in the environment. At the end, fails if a
 * request has broken a wire format.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const {
    output: _,
    stop,
    ...addresses
  } = await startDemo([], { SURVEY_OVERRIDES: JSON.stringify(surveyOverrides), EXPERIMENTS: '' });
  process.env.E2E_DEMO = JSON.stringify(addresses);
  return async () => {
    await expectNoViolation().finally(stop);
  };
}
