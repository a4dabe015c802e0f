/** Reads the declared settings from the environment, and explains invalid values. */
import * as v from 'valibot';
import type { Variable } from '../platform/variable.ts';

/** Maximum number of characters of a value that an error message quotes. */
const SHOWN_CHARACTERS = 100;

/** Matches prefixes that only our settings have. */
const OWN_PREFIXES =
  /^(KEEP|SURVEY|OUTGOING|OPERATIONS|CONSOLE|TWILIO|CODE_TRIES|PAID_CHECKS|(LEADS|CHECKS|SAVES|CODES)_PER)_/;

type Declarations = Readonly<Record<string, Variable<unknown>>>;

/** Reads each declared variable or its default. Adds a sentence to `problems` for each error. */
export function readVariables(
  declarations: Declarations,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(declarations)) {
    const given = environment[name];
    const text = given?.trim() ? given : declared.fallback;
    if (text === undefined) continue;
    const result = v.safeParse(declared.read, text);
    if (result.success) {
      values[name] = result.output;
    } else {
      const wrong = declared.secret ? secretProblem(text) : valueProblem(text, result.issues[0]);
      problems.push(`${name} ${wrong}: expected ${declared.expected}`);
    }
  }
  return values;
}

/** Describes an invalid value with the reason that the schema gives. */
function valueProblem(text: string, issue: v.BaseIssue<unknown>): string {
  const cut = text.length > SHOWN_CHARACTERS ? ' …' : '';
  const shown = `is ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}${cut}`;
  const path = v.getDotPath(issue);
  // The default messages of valibot begin with "Invalid" and do not help operators.
  const isOurs = !issue.message.startsWith('Invalid');
  if (path === null) return isOurs ? `${shown}, ${issue.message}` : shown;
  return `${shown}, in which "${path}" ${isOurs ? issue.message : `may not be ${issue.received}`}`;
}

/** Describes an invalid secret without showing it. */
function secretProblem(text: string): string {
  const flaws = [
    /^\s|\s$/.test(text) && 'white space at an end',
    /\S\s+\S/.test(text) && 'white space inside',
    /^(["']).*\1$/s.test(text) && 'quotation marks around it',
    /[^\x20-\x7e\s]/.test(text) && 'a character that is not ASCII',
  ].filter((flaw) => flaw !== false);
  const found = flaws.length > 0 ? `, with ${flaws.join(' and ')}` : '';
  return `is secret and not shown; it has ${text.length} characters${found}`;
}

/** An account at a third party. Either all settings of the account are set, or none. */
type Account = { readonly title: string; readonly needs: readonly string[] };

/** Returns whether all settings of an account are set. Reports a problem if only some are set. */
export function checkAccount(
  { title, needs }: Account,
  values: Readonly<Record<string, unknown>>,
  problems: string[],
): boolean {
  const isRejected = (name: string) => problems.some((problem) => problem.startsWith(`${name} `));
  const unset = needs.filter((name) => values[name] === undefined && !isRejected(name));
  if (unset.length < needs.length) {
    const why = `${title} needs all of ${needs.join(', ')}`;
    problems.push(...unset.map((name) => `${name} is missing: ${why}`));
  }
  return needs.every((name) => values[name] !== undefined);
}

/** Returns one line for each setting, with the value, or with the length of a secret. */
export function settingLines(environment: NodeJS.ProcessEnv, declarations: Declarations) {
  return Object.entries(declarations).map(([name, { fallback, secret }]) => {
    const given = environment[name]?.trim() ?? '';
    const isSecret = secret === true;
    const shown = given || (fallback ?? '');
    return {
      name,
      isSecret,
      isDefault: given === '' || given === fallback,
      value: isSecret && given !== '' ? `given, ${given.length} characters` : shown,
    };
  });
}

/** Warns about variables that look like misspelled settings. */
export function nearMisses(
  environment: NodeJS.ProcessEnv,
  own: readonly string[],
  ofDestinations: readonly string[],
): string[] {
  const names = [...own, ...ofDestinations];
  const prefixes = ofDestinations.map((name) => name.slice(0, name.indexOf('_') + 1));
  const others = Object.keys(environment).filter((name) => !names.includes(name));
  return others.flatMap((given) => {
    const upper = given.toUpperCase();
    const isNear = (name: string) =>
      Math.min(name.length, upper.length) >= 6 &&
      Math.abs(name.length - upper.length) <= 2 &&
      distance(name, upper) <= 2;
    const near = names.find(isNear);
    if (near !== undefined) return [`${given} is not a setting; did you mean ${near}?`];
    const isOwn = OWN_PREFIXES.test(upper) || prefixes.some((prefix) => upper.startsWith(prefix));
    return isOwn ? [`${given} is not a setting of this server`] : [];
  });
}

/** Returns the Levenshtein distance of two words. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (letter === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
