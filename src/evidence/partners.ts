/** The list of partners in a pack, which the logged version of the rules is a hash of (docs/evidence.md). */
import { sha256, toBase64url, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';

/** What a version of the rules is a hash of: hashes of the rules' files, of their settings, and the listed firms. */
export type RulesParts = {
  readonly files: string;
  readonly settings: string;
  readonly firms: readonly unknown[];
};

/** Returns the SHA-256 (base64url) of a value's canonical JSON. */
export async function hashOf(value: unknown): Promise<string> {
  return toBase64url(await sha256(utf8(canonicalJson(value))));
}

/** Returns the version of the rules. */
export async function rulesVersionOf({ files, settings, firms }: RulesParts): Promise<string> {
  return hashOf({ files, settings, firms: await hashOf(firms) });
}
