/**
 * The same form again: one that was posted without a visit is told by what is in it, so that who presses twice, or
 * tries again, sends one lead.
 */
import type { Clock } from './ports.ts';

/** The same form again within this time, or the time before, is the same. */
const SAME_FORM_MS = 10 * 60 * 1000;

/** Numbers of the time that it is, and of the time before. */
export function formTimes(now: Clock): readonly [number, number] {
  const time = Math.floor(now().getTime() / SAME_FORM_MS);
  return [time, time - 1];
}

/**
 * A lead's id and the secret that shows whose it is, of a digest of 64 hexadecimal digits. The id is a UUID of
 * version 8: all but its marks is ours to choose.
 */
export function leadOfDigest(digest: string): { readonly leadId: string; readonly secret: string } {
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digest.slice(from, to));
  return { leadId: `${a}-${b}-8${c}-8${d}-${e}`, secret: digest.slice(32) };
}
