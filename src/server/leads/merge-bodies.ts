/** Several posts of one lead as one body. */
import { isDeepStrictEqual } from 'node:util';

type Body = Readonly<Record<string, unknown>>;

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Later fields over earlier ones; an empty one never replaces a value (fault 9: nothing is lost). */
export function mergeBodies(bodies: readonly Body[]): Body {
  const merged: Record<string, unknown> = {};
  for (const body of bodies) {
    for (const [name, value] of Object.entries(body)) {
      if (!isEmpty(value) || !Object.hasOwn(merged, name)) merged[name] = value;
    }
  }
  return merged;
}

/** Names of the fields that differ, sorted. */
export function changedFields(before: Body, after: Body): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name])).sort();
}

/** Whether two bodies say the same, whatever the order of their fields. */
export function isSameBody(one: Body, other: Body): boolean {
  return isDeepStrictEqual(one, other);
}
