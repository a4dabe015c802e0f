import { expectNoViolation } from './sandbox-client.ts';
import { endProgram, type Stack, startSandbox, startStack } from './stack.ts';

/**
 * Only demo.spec.ts tests destinations other than the ingest service, so the servers have no
 * others.
 */
const onlyIngest = {
  EXCHANGE_URL: '',
  WEBHOOK_URL: '',
  WEBHOOK_SECRETS: '',
  SAVE_DATA_URL: '',
  VERIFICATION_URL: '',
  INGEST_WITH_VERIFICATION: 'off',
};

/** The settings of most tests: every third-party script, each from the sandbox. */
const usual = {
  ...onlyIngest,
  // A lead without a chosen firm goes out at once; one-to-one.spec.ts tests the wait.
  CHOICE_WAIT_MINUTES: '0',
  SURVEY_OVERRIDES: JSON.stringify({
    '/survey/v5': { toggles: { combinedLastStep: true } },
    '/survey/short-b': { asksTimeframe: true },
  }),
};

/** Returns the settings that some tests need and the usual settings exclude. */
function unusual(sandboxUrl: string): NodeJS.ProcessEnv {
  return {
    ...onlyIngest,
    CHOICE_WAIT_MINUTES: '10',
    SURVEY_OVERRIDES: JSON.stringify({
      '/survey-sl': { verifiesPhone: true },
      '/survey/v4nv-es': { verifiesPhone: true, flow: 'sl' },
    }),
    CODES_PER_ADDRESS_PER_HOUR: '1000',
    // A partner's tab would suspend the page.
    PARTNER_URL: '',
    PREFILL_PERCENTAGE: '0',
    TRUSTED_PROXIES: 'loopback',
    VISITOR_STATE_HEADER: 'X-Visitor-State',
    CLICK_TRACKER_BY: 'server',
    CALL_TRACKING: 'invoca',
    CALL_TRACKING_SCRIPT_URL: `${sandboxUrl}/js/invoca-latest.min.js`,
    CALL_TRACKING_FACEBOOK_SCRIPT_URL: '',
    CALL_TRACKING_TAG_ID: '1/exhausted',
    CALL_TRACKING_FACEBOOK_TAG_ID: '1/facebook',
    // scripts.spec.ts answers for these hosts.
    PIXEL_SCRIPT_URL: 'https://pixel.example/p.js?id=7',
    CASE_WORTH_SCRIPT_URL: 'https://ads.example/g.js',
    CASE_WORTH_FACEBOOK_SCRIPT_URL: 'https://ads.example/f.js',
    AD_PIXEL_SCRIPT_URL: 'https://ad.example/a.js',
    TICKET_SCRIPT_URL: 'https://ticket.example/t.js',
  };
}

/**
 * Starts one sandbox and two servers for all browser tests. The environment passes their addresses to the
 * tests. At the end, no request may have broken a wire format.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const sandbox = await startSandbox();
  const starts = [usual, unusual(sandbox.url)].map((env) => startStack(env, sandbox));
  const stop = async () => {
    for (const start of await Promise.allSettled(starts)) {
      if (start.status === 'fulfilled') await start.value.stop();
    }
    await endProgram(sandbox.child, 'SIGTERM');
  };
  const [first, second] = (await Promise.all(starts).catch(async (error: unknown) => {
    await stop();
    throw error;
  })) as [Stack, Stack];
  process.env.E2E_BASE_URL = first.url;
  process.env.E2E_UNUSUAL_URL = second.url;
  process.env.E2E_SANDBOX_URL = sandbox.url;
  return async () => {
    await expectNoViolation().finally(stop);
  };
}
