import { type PrefillAnswer, prefillPath } from '../../contract/prefill.ts';
import type { Answers } from '../../domain/answers.ts';
import type { ContactDetails } from '../../domain/contact-parameters.ts';
import { formatPhoneMask } from '../../domain/phone-format.ts';
import type { Flow } from '../../flows/engine/flow.ts';
import type { StepAnswers } from '../../flows/engine/walk.ts';
import { inputFields } from './form-values.ts';

/** Later than this an answer would surprise somebody who is typing. */
const PREFILL_WAIT_MS = 5000;

/** Whether an affiliate's visitors get their contact fields prefilled. A failure is a no. */
export async function isPrefilled(affid: string, fetcher: typeof fetch = fetch): Promise<boolean> {
  try {
    const answer = await fetcher(`${prefillPath}?affid=${affid}`, {
      signal: AbortSignal.timeout(PREFILL_WAIT_MS),
    });
    return answer.ok && ((await answer.json()) as PrefillAnswer).result === 'yes';
  } catch {
    return false;
  }
}

/** The details as drafts of the steps that ask for them, in the spelling that their inputs show. */
export function prefillDrafts(flow: Flow, details: ContactDetails): StepAnswers {
  const { phone } = details;
  const shown: Answers = { ...details, ...(phone && { phone: formatPhoneMask(phone) }) };
  const drafts: Record<string, Answers> = {};
  for (const [name, step] of Object.entries(flow.steps)) {
    const values = inputFields(step).flatMap((field) =>
      shown[field] ? [[field, shown[field]] as const] : [],
    );
    if (values.length > 0) drafts[name] = Object.fromEntries(values);
  }
  return drafts;
}
