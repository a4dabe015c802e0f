/** Finds what was probably mistyped. A doubt is asked about once, and never refused twice. */
import { withoutStop } from './text.ts';

/** The domains that most visitors have their address at, and real ones that look like them. */
const domains = (
  'gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com comcast.net att.net ' +
  'verizon.net sbcglobal.net bellsouth.net cox.net charter.net ymail.com rocketmail.com me.com mac.com ' +
  'mail.com email.com gmx.com gmx.net proton.me protonmail.com yahoo.es hotmail.es live.ca yahoo.ca'
).split(' ');
/** Of those, the ones that are meant when another is mistyped. */
const meant = domains.slice(0, 12);

/** Endings that nobody has, in place of `.com`. */
const wrongEnding = /\.(con|cmo|ocm|cpm|comm|vom|xom|cim|clm|co m)$/;

/** Whether one letter too many, too few, another one, or two that changed places make `a` of `b`. */
function isOneSlip(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [own, other] = [a, b].map((each) => each.slice(start, each.length - end)) as [
    string,
    string,
  ];
  if (own.length + other.length <= 1 || (own.length === 1 && other.length === 1)) return true;
  return own.length === 2 && own === [...other].reverse().join('');
}

/**
 * The address with the domain that was probably meant, where the one given is a slip away from a usual
 * one (docs/specification.md#e-mail-check); else undefined. A suggestion only: an unusual domain is no
 * mistake.
 */
export function suggestEmail(email: string): string | undefined {
  const [name, given, ...more] = withoutStop(email.trim()).split('@');
  if (!name || !given || more.length > 0) return undefined;
  const domain = given.toLowerCase();
  if (domains.includes(domain)) return undefined;
  const ended = domain.replace(wrongEnding, '.com');
  const better = domains.includes(ended) ? ended : meant.find((each) => isOneSlip(ended, each));
  const best = better ?? ended;
  return best === domain ? undefined : `${name}@${best}`;
}

/**
 * Returns whether a value is asked about once before it is taken (docs/specification.md#field-checks): a name
 * with a digit in it, an e-mail address whose domain is a slip away from a usual one.
 */
export function isDoubtful(kind: string | undefined, value: string): boolean {
  if (kind === 'name') return /\d/.test(value);
  return kind === 'email' && suggestEmail(value) !== undefined;
}
