/** The beginnings that only our settings have. Destinations add their own. */
const ownPrefixes =
  /^(KEEP|SURVEY|OUTGOING|OPERATIONS|CONSOLE|TWILIO|CODE_TRIES|PAID_CHECKS|(LEADS|CHECKS|SAVES|CODES)_PER)_/;

/**
 * Returns warnings about variables that look like misspelled settings, whose default would otherwise apply
 * unnoticed. Never repeats values.
 */
export function nearMisses(
  environment: NodeJS.ProcessEnv,
  own: readonly string[],
  ofDestinations: readonly string[],
): string[] {
  const names = [...own, ...ofDestinations];
  const prefixes = ofDestinations.map((name) => name.slice(0, name.indexOf('_') + 1));
  const warnings: string[] = [];
  for (const given of Object.keys(environment)) {
    if (names.includes(given)) continue;
    const upper = given.toUpperCase();
    const close = names.find(
      (name) => Math.min(name.length, upper.length) >= 6 && distance(name, upper) <= 2,
    );
    if (close !== undefined) {
      warnings.push(`${given} is not a setting; did you mean ${close}?`);
    } else if (ownPrefixes.test(upper) || prefixes.some((prefix) => upper.startsWith(prefix))) {
      warnings.push(`${given} is not a setting of this server`);
    }
  }
  return warnings;
}

/** Returns the edit distance (Levenshtein) of two words, or 3 if their lengths differ by more than 2. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return 3;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
