import { startDemo } from './demo.ts';
import { expectNoViolation } from './sandbox.ts';
import { surveyOverrides } from './survey-table.ts';

/** Starts one `npm run demo` for all browser tests. */
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
