/** Reads settings from the environment by their declarations, and explains bad values. */
import * as v from 'valibot';
import type { SettingLine } from '../../model/messages/console/work.ts';
import type { DestinationDefinition, DestinationSetting } from '../delivery/destinations/index.ts';
import type { Variable } from '../platform/variable.ts';

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

/**
 * Reports the missing settings of an account that has only some of them: with half an account, leads would be lost.
 * @returns whether anything was given
 */
export function checkAccount<Name extends string>(
  needs: readonly Name[],
  values: Readonly<Partial<Record<Name, unknown>>>,
  problems: string[],
  why: (missing: Name) => string,
): boolean {
  // The problem of a rejected one is already reported.
  const isRefused = (name: Name) => problems.some((problem) => problem.startsWith(`${name} `));
  const missing = needs.filter((name) => values[name] === undefined && !isRefused(name));
  if (missing.length === needs.length) return false;
  problems.push(...missing.map((name) => `${name} is missing: ${why(name)}`));
  return true;
}

/** Reads a destination's settings: all that it needs, or none. */
export function destinationSetting(
  definition: DestinationDefinition,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): DestinationSetting {
  const { needs, title } = definition;
  const values = readVariables(definition.variables, environment, problems);
  checkAccount(needs, values, problems, () => `${title} needs all of ${needs.join(', ')}`);
  const isWhole = needs.every((name) => values[name] !== undefined);
  return { definition, values: isWhole ? values : undefined };
}

/** Returns every setting with its text, or without it if it is a secret. */
export function settingLines(
  environment: NodeJS.ProcessEnv,
  declarations: Readonly<Record<string, Variable<unknown>>>,
): SettingLine[] {
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
