/** A lead id and the proof of its owner: the SHA-256 of the browser's secret. Null without a secret. */
export type OwnedLead = { readonly leadId: string; readonly secretSha256: string | null };
