/** A lead id with its proof of ownership: SHA-256 of the browser's secret, null without one. */
export type OwnedLead = { readonly leadId: string; readonly secretSha256: string | null };
