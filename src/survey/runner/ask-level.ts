import { type EstimateAnswer, estimatePath } from '../../contract/estimate.ts';
import type { Answers } from '../../domain/answers.ts';
import type { FieldRules } from '../../domain/asked-fields.ts';
import { chosenAnswers } from '../../journey/form-values.ts';
import { jsonHeaders } from '../queue/request-headers.ts';

/**
 * Returns the compensation level `cl` of a case, 1 to 7, or '' where the server gives none. Never rejects.
 *
 * @param secret the visit's secret, which proves that the lead is this visitor's
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
      body: JSON.stringify(chosenAnswers(rules, answers)),
    });
    return response.ok ? `${((await response.json()) as EstimateAnswer).compLevel}` : '';
  } catch {
    return '';
  }
}
