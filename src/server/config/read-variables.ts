/** Reads settings from the environment by their declarations, and explains bad values. */
import * as v from 'valibot';
import type { Variable } from '../base/variable.ts';
import type { DestinationDefinition, DestinationSetting } from '../destinations/destination.ts';

/** How much of a value a message repeats. */
const SHOWN_CHARACTERS = 100;

/**
 * Reads each declared variable. A missing or blank one gets its default.
 * @param problems receives a sentence for each bad value
 */
export function readVariables(
  declarations: Readonly<Record<string, Variable<unknown>>>,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(declarations)) {
    const given = environment[name];
    const isGiven = given !== undefined && given.trim() !== '';
    const text = isGiven ? given : declared.fallback;
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

/** Returns the value and, if the schema gives a reason, what is wrong with it. */
function valueProblem(text: string, issue: v.BaseIssue<unknown>): string {
  const cut = text.length > SHOWN_CHARACTERS ? ' …' : '';
  const shown = `is ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}${cut}`;
  const path = v.getDotPath(issue);
  // The library's default messages begin with "Invalid" and don't help an operator.
  const isOurs = !issue.message.startsWith('Invalid');
  if (path === null) return isOurs ? `${shown}, ${issue.message}` : shown;
  return `${shown}, in which "${path}" ${isOurs ? issue.message : `may not be ${issue.received}`}`;
}

/** Describes a secret without showing it. */
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

/** Returns whether a variable was given and rejected, so that its problem is already reported. */
export function isRefused(problems: readonly string[], name: string): boolean {
  return problems.some((problem) => problem.startsWith(`${name} `));
}

/** Returns the variables that were not given. */
export function missingOf<Name extends string>(
  names: readonly Name[],
  values: Readonly<Partial<Record<Name, unknown>>>,
  problems: readonly string[],
): Name[] {
  return names.filter((name) => values[name] === undefined && !isRefused(problems, name));
}

/** Reads a destination's settings. Requires all or none of them: half an account would silently lose leads. */
export function destinationSetting(
  definition: DestinationDefinition,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): DestinationSetting {
  const { needs, title } = definition;
  const refused: string[] = [];
  const values = readVariables(definition.variables, environment, refused);
  problems.push(...refused);
  if (needs.every((name) => values[name] !== undefined)) return { definition, values };
  const missing = missingOf(needs, values, refused);
  if (missing.length < needs.length) {
    for (const name of missing) {
      problems.push(`${name} is missing: ${title} needs all of ${needs.join(', ')}`);
    }
  }
  return { definition, values: undefined };
}
