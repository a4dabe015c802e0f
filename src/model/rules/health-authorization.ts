import type { AskedFieldName } from '../fields/answers.ts';

/** A form has this error until the visitor answers (docs/specification.md#health-authorization). */
export const HEALTH_AUTHORIZATION = 'health_authorization' as AskedFieldName;

/** The lead fields about an authorization to sell health answers. Empty: the page could not ask. */
export type GivenAuthorization = Readonly<
  Partial<Record<`health_authorization${'' | '_text'}`, string>>
>;

/** Returns whether a visitor lives in Washington, also if the zip code was not looked up. */
export function isInWashington({ zip_code = '', state }: Partial<Record<string, string>>): boolean {
  return state === 'WA' || /^(98|99[0-4])/.test(zip_code);
}
