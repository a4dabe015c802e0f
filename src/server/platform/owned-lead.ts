/** A lead's id and the SHA-256 of the secret of the browser that owns the lead. */
export type OwnedLead = { readonly leadId: string; readonly secretSha256: string | null };
