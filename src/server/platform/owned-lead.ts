/** A lead's id and the SHA-256 of the owner's secret; null if the browser sent no secret. */
export type OwnedLead = { readonly leadId: string; readonly secretSha256: string | null };
