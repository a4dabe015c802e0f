/** Lists all third parties with their states: real, sandbox, embedded (our own code) or off. */
import type { DestinationSetting } from '../delivery/destinations/index.ts';
import type { VariableName, VariableValues } from './variables.ts';

export type ThirdParty = ReturnType<typeof thirdParties>[number];
type State = 'real' | 'sandbox' | 'embedded' | 'off';

const party = (
  /** The third party's name in metrics and in the log. */
  name: string,
  title: string,
  /** The required settings. The third party is real if all of them are set. */
  needs: readonly VariableName[],
  /** The work that our own code does instead. Undefined: none. */
  instead?: string,
  /** The optional settings that are web addresses or secrets. */
  takes: readonly VariableName[] = [],
) => ({ name, title, needs, instead, takes });

/** The third parties, except destinations, in the order of the start summary. */
export const services = [
  party('phone', 'phone validation', ['PHONE_CHECK_URL', 'PHONE_CHECK_KEY'], 'the numbering plan'),
  party(
    'email',
    'e-mail validation',
    ['EMAIL_CHECK_URL', 'EMAIL_CHECK_KEY'],
    'pattern, disposable domains, and whether the domain takes mail',
  ),
  party('gibberish', 'gibberish check', ['GIBBERISH_URL'], 'our own check'),
  party('zip', 'zip look-up', ['ZIP_URL'], 'bundled data'),
  party(
    'mapping',
    'mapping of affiliates to accounts',
    ['MAPPING_URL'],
    'the account of the settings',
  ),
  party('buyers', 'available buyers', ['BUYERS_URL'], 'the fallback buyers'),
  party('estimate', 'estimated settlement value', ['ESTIMATE_URL'], 'our own estimate'),
  party('prefill', 'prefill of affiliates', ['PREFILL_URL']),
  party('verification', 'pre-submit verification', ['VERIFICATION_URL']),
  party('save_data', 'copies of saved progress', ['SAVE_DATA_URL']),
  party(
    'sms',
    'SMS codes (Twilio Verify)',
    ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_VERIFY_SERVICE_SID'],
    'codes are logged, except in production',
    ['TWILIO_VERIFY_URL'],
  ),
  party('click', 'click tracker (Everflow)', ['CLICK_TRACKER_URL'], 'our own click ids'),
  party(
    'trusted_form_script',
    'consent certificates (TrustedForm), the script',
    ['TRUSTEDFORM_SCRIPT_URL'],
    'our own record of the consent',
  ),
  party('leadid', 'LeadiD', ['LEADID_SCRIPT_URL']),
  party(
    'call_tracking',
    'call tracking',
    ['CALL_TRACKING_SCRIPT_URL'],
    'the number of the settings',
    ['CALL_TRACKING_FACEBOOK_SCRIPT_URL'],
  ),
  party('alerts', 'alerts to operators', ['SLACK_WEBHOOK_URL'], 'the log'),
  party('partner', "the partner's page", ['PARTNER_URL']),
  party('pixel', 'pixel on injury', ['PIXEL_SCRIPT_URL']),
  party('case_worth', 'ad script at AutoAccidentCaseWorth', ['CASE_WORTH_SCRIPT_URL'], undefined, [
    'CASE_WORTH_FACEBOOK_SCRIPT_URL',
  ]),
  party('ticket', 'ticket script', ['TICKET_SCRIPT_URL']),
  party('ad_pixel', 'pixel of affiliate 389', ['AD_PIXEL_SCRIPT_URL']),
];

/** Lists all third parties, destinations first, without values of settings. */
export function thirdParties(values: VariableValues, destinations: readonly DestinationSetting[]) {
  return [
    ...destinations.map(({ definition: { name, title, needs, whenOff }, values: given }) => ({
      name,
      title,
      needs,
      instead: whenOff === 'mark' ? 'leads are stored; resend them once it is set up' : undefined,
      state: given ? givenState(values, Object.values(given)) : ('off' as const),
    })),
    ...services.map(({ takes, ...service }) => {
      const given = [...service.needs, ...takes].map((variable) => values[variable]);
      const isSetUp = service.needs.every((variable) => (values[variable] ?? '') !== '');
      const ownState = service.instead ? 'embedded' : 'off';
      return { ...service, state: isSetUp ? givenState(values, given) : ownState };
    }),
  ];
}

/** Returns `sandbox` if a setting of the third party is a URL of the sandbox, else `real`. */
function givenState({ SANDBOX_URL }: VariableValues, given: readonly unknown[]): State {
  const base = SANDBOX_URL === undefined ? undefined : new URL(SANDBOX_URL).origin;
  const isAtSandbox = (value: unknown) =>
    typeof value === 'string' && URL.canParse(value) && new URL(value).origin === base;
  return given.flat().some(isAtSandbox) ? 'sandbox' : 'real';
}
