import { hash } from 'node:crypto';

/**
 * SHA-256 of a JSON value, base64url: the same for two bodies that say the same, whatever the order of
 * their fields.
 */
export function bodySha256(body: unknown): string {
  return hash('sha256', JSON.stringify(inOrder(body)) ?? 'null', 'base64url');
}

/** The same with the fields of every object in one order. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(fields[name])]));
}
