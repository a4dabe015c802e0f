import { type EstimateAnswer, estimatePath } from '../../contract/estimate.ts';
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import type { FieldRules } from '../../domain/lead/asked-fields.ts';
import { jsonHeaders } from '../queue/request-headers.ts';

/** The answers that were chosen, not typed: nothing in them says who the visitor is. */
export function chosen(rules: FieldRules, answers: Answers): Answers {
  const isTyped = (name: string) =>
    !/choice|number/.test(rules[name as AskedFieldName]?.kind ?? 'choice');
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !isTyped(name)));
}

/**
 * The compensation level `cl` of a case, 1 to 7; '' where nobody can say. Never rejects.
 *
 * @param secret shows whose lead it is
 */
export async function askLevel(
  rules: FieldRules,
  answers: Answers,
  secret: string | undefined,
  fetcher: typeof fetch = fetch,
): Promise<string> {
  try {
    const response = await fetcher(estimatePath, {
      method: 'POST',
      headers: jsonHeaders(secret),
      body: JSON.stringify(chosen(rules, answers)),
    });
    return response.ok ? `${((await response.json()) as EstimateAnswer).compLevel}` : '';
  } catch {
    return '';
  }
}
