import { addDays } from '../fields/dates.ts';
import { asksHealth } from '../flows/engine/reach.ts';
import type { SurveyEntry } from '../flows/survey-table.ts';
import {
  type AuthorizationRules,
  authorizationText,
  firmsToAuthorize,
} from '../rules/authorization-text.ts';
import { buyersAsAnswers } from '../rules/buyer-choice.ts';
import type { BuyerList } from '../rules/buyers.ts';
import { isInWashington } from '../rules/health-authorization.ts';
import type { RuleResult } from '../rules/qualification.ts';
import { fold } from './consent.ts';
import type { ReadPost } from './read.ts';

/** The page may have stayed open over midnight, and a lead may be posted again later. */
const signedDaysAgo = Array.from({ length: 32 }, (_, days) => days - 1);

/** Returns the ruling on a lead's authorization. Empty: none is needed, or no firm can be named. */
export function judgeAuthorization(
  { posted, today }: Pick<ReadPost, 'posted' | 'today'>,
  { state, selected_buyers }: Readonly<Partial<Record<string, string>>>,
  buyerList: BuyerList | undefined,
  entry: SurveyEntry | undefined,
  rules: AuthorizationRules | undefined,
): RuleResult[] {
  if (!rules || !entry || !isInWashington({ ...posted, state })) return [];
  if (!asksHealth(entry.flow)) return [];
  const { displayed = [], consent = 'no' } = buyerList ?? {};
  const shown = { ...buyersAsAnswers(displayed), '1_to_1_consent': consent, selected_buyers };
  const answers = { ...posted, state, ...shown };
  const firms = firmsToAuthorize(answers, rules.firms);
  // The page does not ask a visitor who could choose a firm and chose none, so no firm is authorized.
  if (firms.length === 0 && consent !== 'yes') return [];
  const { health_authorization: answer = 'missing', health_authorization_text: text = '' } = posted;
  const given = fold(text);
  const { language } = entry.survey;
  // Comparing is slow, so a post without a text is not compared.
  const files = given === '' ? [] : rules.files;
  const file = files.find((each) =>
    rules.companies.some((company) =>
      signedDaysAgo.some((days) => {
        const parties = { ...rules, company, firms };
        return fold(authorizationText(each, language, parties, addDays(today, -days))) === given;
      }),
    ),
  );
  const result = answer === 'yes' && !file ? 'other text' : answer;
  const inputs = { state, version: file?.version, firms: firms.join('; '), answer };
  return [{ rule: 'health_authorization', inputs, result }];
}
