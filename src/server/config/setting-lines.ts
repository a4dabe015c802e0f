/** Lists all settings for admins. */
import type { SettingLine } from '../../contract/console/work.ts';
import type { Variable } from '../base/variable.ts';
import type { DestinationDefinition } from '../destinations/destination.ts';
import { variables } from './variables.ts';

/** Returns every setting with its text, or without it if it is a secret. */
export function settingLines(
  environment: NodeJS.ProcessEnv,
  definitions: readonly DestinationDefinition[],
): SettingLine[] {
  const own: Readonly<Record<string, Variable<unknown>>> = variables;
  const declared = [own, ...definitions.map((definition) => definition.variables)].flatMap(
    Object.entries<Variable<unknown>>,
  );
  return declared.map(([name, { fallback, secret }]) => {
    const given = environment[name]?.trim() ?? '';
    const isSecret = secret === true;
    const shown = given || (fallback ?? '');
    return {
      ...{ name, isSecret, isDefault: given === '' || given === fallback },
      value: isSecret && given !== '' ? `given, ${given.length} characters` : shown,
    };
  });
}
