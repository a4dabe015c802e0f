import { addDays, type CalendarDate } from '../fields/dates.ts';
import type { Language } from '../fields/language.ts';
import {
  type AuthorizationFile,
  authorizationText,
  firmsToAuthorize,
} from '../rules/authorization-text.ts';
import { buyersAsAnswers } from '../rules/buyer-choice.ts';
import type { BuyerList } from '../rules/buyers.ts';
import type { RuleResult } from '../rules/qualification.ts';

/** The authorizations that a lead may have (docs/specification.md#health-authorization). */
export type AuthorizationRules = {
  readonly files: readonly AuthorizationFile[];
  /** The company's present and former names. */
  readonly companies: readonly string[];
  readonly email: string;
  /** The firms that buy leads from Washington, with contact details. */
  readonly firms: readonly string[];
};

type Judged = {
  readonly posted: Readonly<Record<string, string>>;
  readonly state: string | undefined;
  readonly buyerList: BuyerList | undefined;
  readonly selectedBuyers: string | undefined;
  readonly language: Language;
  /** The day on which the visitor pressed the last button. */
  readonly today: CalendarDate;
};

/** The page may have stayed open over midnight, and a lead may be posted again later. */
const signedDaysAgo = Array.from({ length: 32 }, (_, days) => days - 1);

/** Judges the authorization of a lead. Undefined: the lead needs none, or no firm can be named. */
export function judgeAuthorization(
  { posted, state, buyerList, selectedBuyers, language, today }: Judged,
  { files, companies, email, firms }: AuthorizationRules,
): RuleResult | undefined {
  const { health_authorization: answer = 'missing', health_authorization_text = '' } = posted;
  const { zip_code, state_choice } = posted;
  const shown = {
    ...(buyerList && buyersAsAnswers(buyerList.displayed)),
    '1_to_1_consent': buyerList?.consent,
    selected_buyers: selectedBuyers,
  };
  const needed = firmsToAuthorize({ zip_code, state_choice, state, ...shown }, firms);
  if (needed.length === 0) return undefined;
  const version = posted.health_authorization_version;
  const given = folded(health_authorization_text);
  const isPublished = files
    .filter((file) => file.version === version)
    .some((file) =>
      companies.some((company) =>
        signedDaysAgo.some((days) => {
          const parties = { company, email, firms: needed };
          const text = authorizationText(file, language, parties, addDays(today, -days));
          return folded(text) === given;
        }),
      ),
    );
  return {
    rule: 'health_authorization',
    inputs: { state, version, firms: needed.join('; '), answer },
    result: answer === 'yes' && !isPublished ? 'other text' : answer,
  };
}

/** Forms post line breaks as CRLF. */
function folded(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
