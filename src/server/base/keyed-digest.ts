/**
 * Returns an HMAC of a text as 64 hexadecimal digits. The secret is in the database, so outsiders cannot
 * compute it.
 * @throws StoreUnavailableError
 */
export type KeyedDigest = (purpose: string, text: string) => Promise<string>;
