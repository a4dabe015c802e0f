/** The credentials that the sandbox accepts. They are public, made-up and valid only for a sandbox on loopback. */
export const credentials = {
  /** Lead Prosper: the ids of campaign and supplier (digits), and the supplier's key. */
  lpCampaignId: '10001',
  lpSupplierId: '20001',
  lpKey: 'sandbox-lp-key',
  /** Lead Prosper's campaign for the contact form. */
  contactCampaignId: '10002',
  contactSupplierId: '20002',
  contactKey: 'sandbox-contact-key',
  ipqsKey: 'sandbox-ipqs-key',
  /** Twilio: the account sid is `AC` and 32 hexadecimal digits. The Verify service sid begins with `VA`. */
  twilioAccountSid: 'AC00000000000000000000000000000001',
  twilioAuthToken: 'sandbox-twilio-token',
  twilioServiceSid: 'VA00000000000000000000000000000001',
  /** The webhooks' paths. Each path is secret, because anyone who knows it can post. */
  slackPath: '/services/sandbox/alerts/webhook',
  automationPath: '/hooks/catch/1/sandbox',
  webhookPath: '/webhooks/sandbox',
  webhookSecret: 'whsec_c2FuZGJveCBzZWNyZXQsIG9mIG5vIHVzZSBlbHNld2hlcmU=',
  trustedFormApiKey: 'sandbox-trustedform-key',
  leadidCampaign: '00000000-0000-4000-8000-000000000001',
};
