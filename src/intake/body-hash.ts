import { hash } from 'node:crypto';

/** Returns the SHA-256 of a JSON value in base64url. The order of fields doesn't matter. */
export function bodySha256(body: unknown): string {
  return hash('sha256', JSON.stringify(inOrder(body)) ?? 'null', 'base64url');
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(fields[name])]));
}
