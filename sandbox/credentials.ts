/** The made-up credentials that the sandbox accepts. */
export const credentials = {
  lpCampaignId: '10001',
  lpSupplierId: '20001',
  lpKey: 'sandbox-lp-key',
  ipqsKey: 'sandbox-ipqs-key',
  twilioAccountSid: 'AC00000000000000000000000000000001',
  twilioAuthToken: 'sandbox-twilio-token',
  twilioServiceSid: 'VA00000000000000000000000000000001',
  /** Paths of webhooks are secret, because anyone with the path can post to the webhook. */
  slackPath: '/services/sandbox/alerts/webhook',
  automationPath: '/hooks/catch/1/sandbox',
  microsoft: {
    MICROSOFT_ADS_DEVELOPER_TOKEN: 'sandbox-developer-token',
    MICROSOFT_ADS_CUSTOMER_ID: '3001',
    MICROSOFT_ADS_ACCOUNT_ID: '4001',
    MICROSOFT_ADS_CLIENT_ID: '00000000-0000-4000-8000-000000000002',
    MICROSOFT_ADS_CLIENT_SECRET: 'sandbox-microsoft-secret',
    MICROSOFT_ADS_REFRESH_TOKEN: 'sandbox-microsoft-refresh',
    MICROSOFT_ADS_GOALS: 'lead.accepted=Lead,lead.sold=Purchase,lead.signed=Contract',
  },
  leadidCampaign: '00000000-0000-4000-8000-000000000001',
};
