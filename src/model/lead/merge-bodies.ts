/** Merges several posts of one lead into one body. */
import { isAskedField } from '../fields/asked-fields.ts';

type Body = Readonly<Record<string, unknown>>;

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Fields that describe the consent text in `tcpa`. */
const ofConsent = new Set(['consent_version', 'consent_shown_at', 'consent_seen', 'submitted_at']);

/**
 * Merges bodies, oldest first. Later values replace earlier ones, but an empty value replaces nothing.
 * A body that answers its whole survey replaces all earlier answers: an omitted one was withdrawn. (The
 * revisions keep every post as received.) A body without a consent text keeps an earlier text's fields.
 *
 * @param isWhole whether a body answers its whole survey
 */
export function mergeBodies(
  bodies: readonly Body[],
  isWhole: (body: Body) => boolean = () => false,
): Body {
  const merged: Record<string, unknown> = {};
  for (const [index, body] of bodies.entries()) {
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

/** Returns the sorted names of the fields that differ. */
export function changedFields(before: Body, after: Body): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name])).sort();
}

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
