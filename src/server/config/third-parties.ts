/**
 * Which third parties there are, and for each whether it is the real one, the sandbox's, our own embedded
 * stand-in, or off. What the start says is read from here (`start-summary.ts`), and a test of this file names every
 * setting of an address or a secret that no third party claims: a new one cannot be forgotten.
 */
import type { DestinationSetting } from '../destinations/destination.ts';
import type { VariableName, VariableValues } from './variables.ts';

export type ThirdPartyState = 'real' | 'sandbox' | 'embedded' | 'off';

export type ThirdParty = {
  /** As in metrics and in the log. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly state: ThirdPartyState;
  /** The settings that make it real, by their names in the environment. */
  readonly needs: readonly string[];
  /** What is done in its place; undefined: nothing. */
  readonly instead?: string;
};

/** A third party that is no destination; those declare themselves (`destinations/`). */
type DeclaredService = {
  readonly name: string;
  readonly title: string;
  /** All are given: it is real. None are named: it has no settings yet. */
  readonly needs: readonly VariableName[];
  /** Further addresses and secrets of it, which it can do without. */
  readonly takes?: readonly VariableName[];
  /** What our own code does without it; undefined: it is simply off. */
  readonly embedded?: string;
};

/** One line a third party, in the order in which the start says them. */
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
    embedded: 'a check of our own',
  },
  { name: 'zip', title: 'zip look-up', needs: ['ZIP_URL'], embedded: 'data that comes along' },
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
    title: 'codes by SMS (Twilio Verify)',
    needs: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_VERIFY_SERVICE_SID'],
    takes: ['TWILIO_VERIFY_URL'],
    embedded: 'codes are printed to the log, outside production',
  },
  {
    name: 'click',
    title: 'click tracker (Everflow)',
    needs: ['CLICK_TRACKER_URL'],
    embedded: 'click ids of our own',
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

/** Returns the settings that make a service real, for messages to operators. */
export function serviceSettings(name: string): readonly string[] {
  return services.find((each) => each.name === name)?.needs ?? [];
}

/** Destinations first: they are what the server is there for. Pure; no value of a setting is in it. */
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
        ...(whenOff === 'mark' && { instead: 'leads are kept until it is there' }),
      };
    }),
    ...services.map(({ name, title, needs, takes = [], embedded }) => {
      const isReal = needs.length > 0 && needs.every((variable) => isGiven(values[variable]));
      return {
        name,
        title,
        needs,
        state: isReal
          ? givenState(
              values,
              [...needs, ...takes].map((variable) => values[variable]),
            )
          : embeddedState(embedded),
        ...(embedded !== undefined && { instead: embedded }),
      };
    }),
  ];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '';
}

/** One whose settings are given is real, unless they lead to the sandbox. */
function givenState({ SANDBOX_URL }: VariableValues, given: readonly unknown[]): ThirdPartyState {
  const base = SANDBOX_URL === undefined ? undefined : new URL(SANDBOX_URL).origin;
  const isAtSandbox = (value: unknown) =>
    typeof value === 'string' && URL.canParse(value) && new URL(value).origin === base;
  return given.flat().some(isAtSandbox) ? 'sandbox' : 'real';
}

function embeddedState(embedded: string | undefined): ThirdPartyState {
  return embedded === undefined ? 'off' : 'embedded';
}
