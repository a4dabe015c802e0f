/**
 * Recognises repeated forms that were posted without a visit. The lead id is derived from the form's content, so a
 * double press or a retry sends one lead.
 */
import type { Clock } from '../platform/clock.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';

/** A lead id with its secret. */
type FormLead = { readonly leadId: string; readonly secret: string };

/** The length of a time slot. Equal forms in one slot, or in two adjacent ones, count as repeated. */
const SAME_FORM_MS = 10 * 60 * 1000;

/**
 * Returns the leads of a form for the current and the previous time slot.
 * @param textAt returns the form's content and the number of a slot as text
 */
export function leadsOfForm(
  digest: KeyedDigest,
  purpose: string,
  now: Clock,
  textAt: (slot: number) => string,
): Promise<FormLead[]> {
  const slot = Math.floor(now().getTime() / SAME_FORM_MS);
  const slots = [slot, slot - 1];
  return Promise.all(slots.map(async (each) => leadOfDigest(await digest(purpose, textAt(each)))));
}

/** Derives a lead id (a UUID of version 8) and the lead's secret from a digest of 64 hexadecimal digits. */
export function leadOfDigest(digest: string): FormLead {
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digest.slice(from, to));
  return { leadId: `${a}-${b}-8${c}-8${d}-${e}`, secret: digest.slice(32) };
}
