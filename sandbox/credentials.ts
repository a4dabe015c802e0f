/**
 * The credentials that the stand-ins accept. The defaults are public, made-up values, valid only for a
 * sandbox on loopback.
 */
export interface SandboxCredentials {
  /** Lead Prosper campaign id, digits. */
  lpCampaignId: string;
  /** Lead Prosper supplier id, digits. */
  lpSupplierId: string;
  /** Lead Prosper key of that supplier. */
  lpKey: string;
  /** The account of the contact form at Lead Prosper. */
  contactCampaignId: string;
  contactSupplierId: string;
  contactKey: string;
  /** IPQualityScore key, sent in the header `IPQS-KEY`. */
  ipqsKey: string;
  /** Twilio account sid: `AC` and 32 hexadecimal digits. */
  twilioAccountSid: string;
  twilioAuthToken: string;
  /** Twilio Verify service sid: `VA` and 32 hexadecimal digits. */
  twilioServiceSid: string;
  /** Path of the Slack incoming webhook; the path is the secret. */
  slackPath: string;
  automationPath: string;
  /** Path of the operator's webhook, and its shared secret. */
  webhookPath: string;
  webhookSecret: string;
  /** TrustedForm API key, the password of Basic authentication. */
  trustedFormApiKey: string;
  /** LeadiD campaign, a GUID. */
  leadidCampaign: string;
}

export const defaultCredentials: SandboxCredentials = {
  lpCampaignId: '10001',
  lpSupplierId: '20001',
  lpKey: 'sandbox-lp-key',
  contactCampaignId: '10002',
  contactSupplierId: '20002',
  contactKey: 'sandbox-contact-key',
  ipqsKey: 'sandbox-ipqs-key',
  twilioAccountSid: 'AC00000000000000000000000000000001',
  twilioAuthToken: 'sandbox-twilio-token',
  twilioServiceSid: 'VA00000000000000000000000000000001',
  slackPath: '/services/sandbox/alerts/webhook',
  automationPath: '/hooks/catch/1/sandbox',
  webhookPath: '/webhooks/sandbox',
  webhookSecret: 'whsec_c2FuZGJveCBzZWNyZXQsIG9mIG5vIHVzZSBlbHNld2hlcmU=',
  trustedFormApiKey: 'sandbox-trustedform-key',
  leadidCampaign: '00000000-0000-4000-8000-000000000001',
};
