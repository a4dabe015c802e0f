/** Several posts of one lead as one body. */
import { isDeepStrictEqual } from 'node:util';
import { isAskedField } from '../../domain/lead/asked-fields.ts';

type Body = Readonly<Record<string, unknown>>;

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/**
 * Later fields over earlier ones; an empty one never replaces a value (fault 9: nothing is lost).
 * Answers are the exception: a post that answers its whole survey says all that the visitor means, and
 * what it leaves out was taken back. (The revisions keep every post as it came.)
 *
 * @param isWhole whether a body answers its whole survey
 */
export function mergeBodies(
  bodies: readonly Body[],
  isWhole: (body: Body) => boolean = () => false,
): Body {
  const merged: Record<string, unknown> = {};
  for (const [index, body] of bodies.entries()) {
    // Before the first there is nothing to take back.
    if (index > 0 && isWhole(body)) {
      for (const name of Object.keys(merged)) if (isAskedField(name)) delete merged[name];
    }
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
