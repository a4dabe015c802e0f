import { type CalendarDate, daysInMonth } from '../fields/dates.ts';
import type { Language } from '../fields/language.ts';
import { buyersFromAnswers, isChosen } from './buyer-choice.ts';
import {
  type GivenAuthorization,
  HEALTH_AUTHORIZATION,
  isInWashington,
} from './health-authorization.ts';

/** The words of an authorization to sell health answers, as published on one day. */
export type AuthorizationFile = {
  readonly version: string;
  readonly words: Readonly<
    Record<Language, Readonly<Record<'question' | 'help' | 'text' | 'yes' | 'no', string>>>
  >;
};

/** The authorizations that a lead may have. `firms` have their contact details. */
export type AuthorizationRules = {
  readonly files: readonly AuthorizationFile[];
  /** The company's present and former names. */
  readonly companies: readonly string[];
  readonly email: string;
  readonly firms: readonly string[];
};

/** Returns the firms that an authorization must name: the chosen ones, or `firms` without a choice. */
export function firmsToAuthorize(
  answers: Readonly<Partial<Record<string, string>>>,
  firms: readonly string[] | undefined,
): readonly string[] {
  if (!firms || !isInWashington(answers)) return [];
  if (answers['1_to_1_consent'] !== 'yes') return firms;
  return buyersFromAnswers(answers.displayed_buyers, answers.displayed_buyer_ids)
    .filter(([, value]) => isChosen(value, answers.selected_buyers))
    .map(([name]) => firms.find((firm) => `${firm},`.startsWith(`${name},`)) ?? name);
}

/** Returns the text of an authorization that is signed on a day and expires one year later. */
export function authorizationText(
  { words }: AuthorizationFile,
  language: Language,
  { company, email, firms }: Pick<AuthorizationRules, 'email' | 'firms'> & { company: string },
  { year, month, day }: CalendarDate,
): string {
  const style = { dateStyle: 'long', timeZone: 'UTC' } as const;
  const dayText = (years: number, date: number) =>
    new Date(Date.UTC(years, month - 1, date)).toLocaleDateString(language, style);
  const signed = dayText(year, day);
  const expires = dayText(year + 1, Math.min(day, daysInMonth(year + 1, month)));
  const values = { company, email, firms: firms.join('; '), signed, expires };
  return words[language].text.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name]);
}

/** Reads the authorization in a posted form. Undefined: no button of the authorization was pressed. */
export function readAuthorization(
  fields: Iterable<readonly [name: string, value: unknown]>,
): GivenAuthorization | undefined {
  const own = [...fields].filter(([name]) => name.startsWith(HEALTH_AUTHORIZATION));
  const given: GivenAuthorization = Object.fromEntries(own);
  return /^(yes|no)$/.test(given.health_authorization ?? '') ? given : undefined;
}
