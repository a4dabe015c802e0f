/** Reads the environment's text by the declarations of settings, and says what is wrong with a value. */
import * as v from 'valibot';
import type { Variable } from '../base/variable.ts';
import type { DestinationDefinition, DestinationSetting } from '../destinations/destination.ts';

/** The most of a value that a message repeats. */
const SHOWN_CHARACTERS = 100;

/**
 * Reads each declared variable; one that is missing or blank has its default.
 * @param problems gets a sentence for each value that cannot be read
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

/** Returns the value and, where a declaration says more than "invalid", what is wrong with it. */
function valueProblem(text: string, issue: v.BaseIssue<unknown>): string {
  const cut = text.length > SHOWN_CHARACTERS ? ' …' : '';
  const shown = `is ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}${cut}`;
  const path = v.getDotPath(issue);
  // Messages of the library's own begin with "Invalid" and say little to an operator.
  const isOurs = !issue.message.startsWith('Invalid');
  if (path === null) return isOurs ? `${shown}, ${issue.message}` : shown;
  return `${shown}, in which "${path}" ${isOurs ? issue.message : `may not be ${issue.received}`}`;
}

/** Describes a secret by its shape alone. */
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

/** Says whether a variable was given and refused: it has a sentence of its own then. */
export function isRefused(problems: readonly string[], name: string): boolean {
  return problems.some((problem) => problem.startsWith(`${name} `));
}

/** All that a destination needs, or none of it: half an account would lose leads quietly. */
export function destinationSetting(
  definition: DestinationDefinition,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): DestinationSetting {
  const refused: string[] = [];
  const values = readVariables(definition.variables, environment, refused);
  problems.push(...refused);
  const missing = definition.needs.filter((name) => values[name] === undefined);
  if (missing.length === 0) return { definition, values };
  const isGiven = (name: string) => isRefused(refused, name);
  if (missing.length < definition.needs.length || missing.some(isGiven)) {
    for (const name of missing.filter((each) => !isGiven(each))) {
      problems.push(
        `${name} is missing: ${definition.title} needs all of ${definition.needs.join(', ')}`,
      );
    }
  }
  return { definition, values: undefined };
}
