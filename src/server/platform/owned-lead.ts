/** A lead's id with the proof of its owner: the SHA-256 of the browser's secret. Null if the browser sent no secret. */
export type OwnedLead = { readonly leadId: string; readonly secretSha256: string | null };
