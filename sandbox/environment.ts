import type { DestinationDefinition } from '../src/server/destinations/destination.ts';
import { destinations } from '../src/server/destinations/index.ts';
import type { SandboxCredentials } from './credentials.ts';

/**
 * The settings that direct each destination to its stand-in, by the destination's name. `environment.test.ts`
 * fails for a destination without any.
 */
export const sandboxSettings: Readonly<
  Record<string, (url: string, credentials: SandboxCredentials) => Record<string, string>>
> = {
  ingest: (url, { lpCampaignId, lpSupplierId, lpKey }) => ({
    INGEST_WITH_VERIFICATION: 'on',
    INGEST_URL: url,
    INGEST_CAMPAIGN_ID: lpCampaignId,
    INGEST_SUPPLIER_ID: lpSupplierId,
    INGEST_KEY: lpKey,
  }),
  contact: (url, { contactCampaignId, contactSupplierId, contactKey }) => ({
    CONTACT_INGEST_URL: `${url}/contact`,
    CONTACT_CAMPAIGN_ID: contactCampaignId,
    CONTACT_SUPPLIER_ID: contactSupplierId,
    CONTACT_KEY: contactKey,
  }),
  exchange: (url) => ({ EXCHANGE_URL: `${url}/exchange/lead-data` }),
  trustedform: (url, { trustedFormApiKey }) => ({
    TRUSTEDFORM_API_KEY: trustedFormApiKey,
    TRUSTEDFORM_ORIGINS: url,
  }),
  webhook: (url, { webhookPath, webhookSecret }) => ({
    WEBHOOK_URL: url + webhookPath,
    WEBHOOK_SECRETS: webhookSecret,
  }),
  automation: (url, { automationPath }) => ({ AUTOMATION_WEBHOOK_URL: url + automationPath }),
};

/** Returns the settings that load every script of a survey page from its stand-in. */
export function scriptSettings(
  url: string,
  { leadidCampaign }: SandboxCredentials,
): Record<string, string> {
  return {
    PIXEL_SCRIPT_URL: `${url}/pixels/injury.js`,
    CASE_WORTH_SCRIPT_URL: `${url}/pixels/case-worth.js`,
    CASE_WORTH_FACEBOOK_SCRIPT_URL: `${url}/pixels/case-worth-facebook.js`,
    TICKET_SCRIPT_URL: `${url}/pixels/ticket.js`,
    AD_PIXEL_SCRIPT_URL: `${url}/pixels/ad.js`,
    CLICK_TRACKER_URL: url,
    TRUSTEDFORM_SCRIPT_URL: `${url}/trustedform.js`,
    LEADID_SCRIPT_URL: `${url}/campaign/${leadidCampaign}.js?snippet_version=2`,
    CALL_TRACKING: 'ringba',
    CALL_TRACKING_SCRIPT_URL: `${url}/ringba/google`,
    CALL_TRACKING_FACEBOOK_SCRIPT_URL: `${url}/ringba/facebook`,
  };
}

/**
 * Returns the settings that make a server use a sandbox instead of the real third parties.
 * @param url base address of the sandbox, without a trailing slash
 * @throws for a destination without a stand-in
 */
export function sandboxEnvironment(
  url: string,
  credentials: SandboxCredentials,
  definitions: readonly Pick<DestinationDefinition, 'name'>[] = destinations,
): Record<string, string> {
  const ofDestinations = definitions.map(({ name }) => {
    const settings = sandboxSettings[name];
    if (!settings) throw new Error(`The sandbox has no stand-in for the destination "${name}"`);
    return settings(url, credentials);
  });
  return {
    ...Object.assign({}, ...ofDestinations),
    SANDBOX_URL: url,
    // The sandbox is on loopback, and the server refuses private addresses by default.
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    SLACK_WEBHOOK_URL: url + credentials.slackPath,
    PARTNER_URL: `${url}/partner`,
    MAPPING_URL: url,
    BUYERS_URL: url,
    PREFILL_URL: url,
    ESTIMATE_URL: url,
    ...scriptSettings(url, credentials),
    PHONE_CHECK_URL: url,
    PHONE_CHECK_KEY: credentials.ipqsKey,
    EMAIL_CHECK_URL: url,
    EMAIL_CHECK_KEY: credentials.ipqsKey,
    GIBBERISH_URL: `${url}/gibberish`,
    ZIP_URL: url,
    VERIFICATION_URL: `${url}/lead-verification`,
    SAVE_DATA_URL: url,
    TWILIO_ACCOUNT_SID: credentials.twilioAccountSid,
    TWILIO_AUTH_TOKEN: credentials.twilioAuthToken,
    TWILIO_VERIFY_SERVICE_SID: credentials.twilioServiceSid,
    TWILIO_VERIFY_URL: url,
  };
}
