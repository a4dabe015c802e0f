/**
 * Lists all third parties, and whether each is real, in the sandbox, replaced by our own code, or off. The start
 * summary reads this list. A test fails for any address or secret in the settings that no third party declares.
 */
import type { DestinationSetting } from '../destinations/destination.ts';
import type { VariableName, VariableValues } from './variables.ts';

type ThirdPartyState = 'real' | 'sandbox' | 'embedded' | 'off';

export type ThirdParty = {
  /** The name in metrics and in the log. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  readonly state: ThirdPartyState;
  /** The environment variables that make it real. */
  readonly needs: readonly string[];
  /** What replaces it; undefined: nothing. */
  readonly instead?: string;
};

/** A third party other than a destination. Destinations declare themselves (`destinations/`). */
type DeclaredService = {
  readonly name: string;
  readonly title: string;
  /** The required settings: the third party is real when all of them are set. */
  readonly needs: readonly VariableName[];
  /** Optional settings of the third party: addresses and secrets. */
  readonly takes?: readonly VariableName[];
  /** What our own code does instead of the third party; undefined: nothing. */
  readonly embedded?: string;
};

/** In the order of the start summary. */
export const services: readonly DeclaredService[] = [
  {
    name: 'phone',
    title: 'phone validation',
    needs: ['PHONE_CHECK_URL', 'PHONE_CHECK_KEY'],
    embedded: 'the numbering plan',
  },
  {
    name: 'email',
    title: 'e-mail validation',
    needs: ['EMAIL_CHECK_URL', 'EMAIL_CHECK_KEY'],
    embedded: 'pattern, disposable domains, and whether the domain takes mail',
  },
  {
    name: 'gibberish',
    title: 'gibberish check',
    needs: ['GIBBERISH_URL'],
    embedded: 'our own check',
  },
  { name: 'zip', title: 'zip look-up', needs: ['ZIP_URL'], embedded: 'bundled data' },
  {
    name: 'mapping',
    title: 'mapping of affiliates to accounts',
    needs: ['MAPPING_URL'],
    embedded: 'the account of the settings',
  },
  {
    name: 'buyers',
    title: 'available buyers',
    needs: ['BUYERS_URL'],
    embedded: 'the fallback buyers',
  },
  {
    name: 'estimate',
    title: 'estimated settlement value',
    needs: ['ESTIMATE_URL'],
    embedded: 'our own estimate',
  },
  { name: 'prefill', title: 'prefill of affiliates', needs: ['PREFILL_URL'] },
  { name: 'verification', title: 'pre-submit verification', needs: ['VERIFICATION_URL'] },
  { name: 'save_data', title: 'copies of saved progress', needs: ['SAVE_DATA_URL'] },
  {
    name: 'sms',
    title: 'SMS codes (Twilio Verify)',
    needs: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_VERIFY_SERVICE_SID'],
    takes: ['TWILIO_VERIFY_URL'],
    embedded: 'codes are logged, except in production',
  },
  {
    name: 'click',
    title: 'click tracker (Everflow)',
    needs: ['CLICK_TRACKER_URL'],
    embedded: 'our own click ids',
  },
  {
    name: 'trusted_form_script',
    title: 'consent certificates (TrustedForm), the script',
    needs: ['TRUSTEDFORM_SCRIPT_URL'],
    embedded: 'our own record of the consent',
  },
  { name: 'leadid', title: 'LeadiD', needs: ['LEADID_SCRIPT_URL'] },
  {
    name: 'call_tracking',
    title: 'call tracking',
    needs: ['CALL_TRACKING_SCRIPT_URL'],
    takes: ['CALL_TRACKING_FACEBOOK_SCRIPT_URL'],
    embedded: 'the number of the settings',
  },
  {
    name: 'alerts',
    title: 'alerts to operators',
    needs: ['SLACK_WEBHOOK_URL'],
    embedded: 'the log',
  },
  { name: 'partner', title: "the partner's page", needs: ['PARTNER_URL'] },
  { name: 'pixel', title: 'pixel on injury', needs: ['PIXEL_SCRIPT_URL'] },
  {
    name: 'case_worth',
    title: 'ad script at AutoAccidentCaseWorth',
    needs: ['CASE_WORTH_SCRIPT_URL'],
    takes: ['CASE_WORTH_FACEBOOK_SCRIPT_URL'],
  },
  { name: 'ticket', title: 'ticket script', needs: ['TICKET_SCRIPT_URL'] },
  { name: 'ad_pixel', title: 'pixel of affiliate 389', needs: ['AD_PIXEL_SCRIPT_URL'] },
];

/** Returns the settings that a service needs, for messages to operators. */
export function serviceSettings(name: string): readonly string[] {
  return services.find((each) => each.name === name)?.needs ?? [];
}

/** Lists all third parties, destinations first. The result contains no values of settings. */
export function thirdParties(
  values: VariableValues,
  destinations: readonly DestinationSetting[],
): ThirdParty[] {
  return [
    ...destinations.map(({ definition, values: given }) => {
      const { name, title, needs, whenOff } = definition;
      return {
        name,
        title,
        needs,
        state: given ? givenState(values, Object.values(given)) : ('off' as const),
        ...(whenOff === 'mark' && { instead: 'leads are kept; send them yourself after setup' }),
      };
    }),
    ...services.map(({ name, title, needs, takes = [], embedded }): ThirdParty => {
      const given = [...needs, ...takes].map((variable) => values[variable]);
      const isSetUp = needs.every((variable) => (values[variable] ?? '') !== '');
      const state = isSetUp ? givenState(values, given) : embedded ? 'embedded' : 'off';
      return { name, title, needs, state, ...(embedded && { instead: embedded }) };
    }),
  ];
}

/** Returns the state of a third party with settings: real, unless they point to the sandbox. */
function givenState({ SANDBOX_URL }: VariableValues, given: readonly unknown[]): ThirdPartyState {
  const base = SANDBOX_URL === undefined ? undefined : new URL(SANDBOX_URL).origin;
  const isAtSandbox = (value: unknown) =>
    typeof value === 'string' && URL.canParse(value) && new URL(value).origin === base;
  return given.flat().some(isAtSandbox) ? 'sandbox' : 'real';
}
