import type { SandboxCredentials } from './credentials.ts';

/**
 * The settings that make a server use a sandbox in place of the real third parties.
 * @param url base address of the sandbox, without a slash at the end.
 */
export function sandboxEnvironment(
  url: string,
  credentials: SandboxCredentials,
): Record<string, string> {
  return {
    INGEST_URL: url,
    INGEST_CAMPAIGN_ID: credentials.lpCampaignId,
    INGEST_SUPPLIER_ID: credentials.lpSupplierId,
    INGEST_KEY: credentials.lpKey,
    // The server refuses private addresses unless told otherwise, and the sandbox is on loopback.
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    PARTNER_URL: `${url}/partner`,
    MAPPING_URL: url,
    BUYERS_URL: url,
    PREFILL_URL: url,
    ESTIMATE_URL: url,
  };
}
