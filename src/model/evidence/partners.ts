/** The list of partners in a pack, which the logged version of the rules is a hash of (docs/evidence.md). */
import { sha256, toBase64url, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';

/** Returns the SHA-256 (base64url) of a value's canonical JSON. */
export async function hashOf(value: unknown): Promise<string> {
  return toBase64url(await sha256(utf8(canonicalJson(value))));
}

/** Returns the version of the rules: a hash of the hashes of their files and settings, and of the listed firms. */
export async function rulesVersionOf(parts: {
  readonly files: string;
  readonly settings: string;
  readonly firms: readonly unknown[];
}): Promise<string> {
  const { files, settings, firms } = parts;
  return hashOf({ files, settings, firms: await hashOf(firms) });
}
