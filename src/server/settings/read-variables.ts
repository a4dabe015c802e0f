/** Reads the declared settings from the environment, and explains invalid values. */
import * as v from 'valibot';
import type { Variable } from '../platform/variable.ts';

/** Maximum number of characters of a value that an error message quotes. */
const SHOWN_CHARACTERS = 100;

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
      const wrong = declared.secret
        ? `is secret and not shown; it has ${text.length} characters`
        : valueProblem(text, result.issues[0]);
      problems.push(`${name} ${wrong}: expected ${declared.expected}`);
    }
  }
  return values;
}

/** Describes an invalid value. In JSON, also names the invalid part. */
function valueProblem(text: string, issue: v.BaseIssue<unknown>): string {
  const cut = text.length > SHOWN_CHARACTERS ? ' …' : '';
  const shown = `is ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}${cut}`;
  const { message, received, expected } = issue;
  const path = v.getDotPath(issue);
  // The default messages of valibot begin with "Invalid" and do not help operators.
  const isOurs = !message.startsWith('Invalid');
  if (path === null) return isOurs ? `${shown}, ${message}` : shown;
  const but = expected === null || expected === 'never' ? '' : `, but ${expected}`;
  return `${shown}, in which "${path}" ${isOurs ? message : `may not be ${received}${but}`}`;
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
