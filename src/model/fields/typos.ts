import { withoutStop } from './text.ts';

/** Common e-mail domains, the most common first. */
const domains = (
  'gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com comcast.net att.net ' +
  'verizon.net sbcglobal.net bellsouth.net cox.net charter.net ymail.com rocketmail.com me.com mac.com ' +
  'mail.com email.com gmx.com gmx.net proton.me protonmail.com yahoo.es hotmail.es live.ca yahoo.ca'
).split(' ');
const suggestedDomains = domains.slice(0, 12);

/** Endings that people type in place of `.com`. */
const wrongEnding = /\.(con|cmo|ocm|cpm|comm|vom|xom|cim|clm|co m)$/;

/** Returns whether two texts differ by one typing error. */
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

/** Returns a corrected e-mail address, or undefined if no error is probable. */
export function suggestEmail(email: string): string | undefined {
  const [name, given, ...more] = withoutStop(email.trim()).split('@');
  if (!name || !given || more.length > 0) return undefined;
  const domain = given.toLowerCase();
  if (domains.includes(domain)) return undefined;
  const ended = domain.replace(wrongEnding, '.com');
  const better = domains.includes(ended)
    ? ended
    : suggestedDomains.find((each) => isOneSlip(ended, each));
  const best = better ?? ended;
  return best === domain ? undefined : `${name}@${best}`;
}

/** Returns whether a name or an e-mail address probably has a typing error. */
export function isDoubtful(kind: string | undefined, value: string): boolean {
  if (kind === 'name') return /\d/.test(value);
  return kind === 'email' && suggestEmail(value) !== undefined;
}
