/**
 * Makes a posted body fit for a `jsonb` column, which refuses U+0000, lone surrogates and JSON nested thousands
 * of levels deep. Everything else stays unchanged.
 */

/** The JSON escapes of the characters that `jsonb` refuses. */
const refused = /\\u0000|\\ud[89a-f]/;
/** Deeper values are stored as text; a genuine lead is one flat object. */
const MAX_DEPTH = 20;

/** Returns the body in a form that can be stored. Refused characters become U+FFFD. */
export function storable(
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const flat = Object.values(body).some((value) => typeof value === 'object' && value !== null)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shallow(value)]))
    : body;
  if (Object.keys(flat).every((name) => isStorable(name) && isStorable(flat[name]))) return flat;
  const clean = new Map<string, unknown>();
  for (const [name, value] of Object.entries(flat)) clean.set(storableText(name), cleaned(value));
  return Object.fromEntries(clean);
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  return typeof value !== 'object' || value === null || !refused.test(JSON.stringify(value));
}

/** Replaces the characters that cannot be stored. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** Cuts a text to at most `longest` characters and leaves no lone surrogate. */
export function beginning(text: string, longest: number): string {
  return text.slice(0, longest).toWellFormed();
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [storableText(name), cleaned(inner)]),
    );
  }
  return value;
}

function shallow(value: unknown): unknown {
  if (depthWithin(value, MAX_DEPTH)) return value;
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deeply to be kept)';
  }
}

function depthWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.values(value).every((inner) => depthWithin(inner, depth - 1));
}
