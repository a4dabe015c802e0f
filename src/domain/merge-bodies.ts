/** Several posts of one lead as one body. */
import { isAskedField } from './asked-fields.ts';

type Body = Readonly<Record<string, unknown>>;

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Version and times of the consent text that a body has. */
const ofConsent = new Set(['consent_version', 'consent_shown_at', 'submitted_at']);

/**
 * Later fields over earlier ones; an empty one never replaces a value, so that nothing is lost.
 * Answers are the exception: a post that answers its whole survey says all that the visitor means, and
 * what it leaves out was taken back. (The revisions keep every post as it came.)
 * What is said of a consent text comes with that text: a post without one changes nothing of it.
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
    const keepsConsent = !isEmpty(merged.tcpa) && isEmpty(body.tcpa);
    for (const [name, value] of Object.entries(body)) {
      if (keepsConsent && ofConsent.has(name)) continue;
      if (!isEmpty(value) || !Object.hasOwn(merged, name)) merged[name] = value;
    }
  }
  return merged;
}

/** Names of the fields that differ, sorted. */
export function changedFields(before: Body, after: Body): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name])).sort();
}

/** Whether two JSON values are equal. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isSame((one as Body)[name], (other as Body)[name]),
    )
  );
}
