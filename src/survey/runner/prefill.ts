import { type PrefillAnswer, prefillPath } from '../../contract/prefill.ts';
import type { Answers } from '../../domain/answers.ts';
import type { ContactDetails } from '../../domain/contact-parameters.ts';
import { type Flow, inputFields } from '../../flows/engine/flow.ts';
import type { StepAnswers } from '../../flows/engine/walk.ts';

/** Whether an affiliate's visitors get their contact fields prefilled. A failure is a no. */
export async function isPrefilled(affid: string, fetcher: typeof fetch = fetch): Promise<boolean> {
  try {
    const answer = await fetcher(`${prefillPath}?affid=${affid}`);
    return ((await answer.json()) as PrefillAnswer).result === 'yes';
  } catch {
    return false;
  }
}

/** The details as drafts of the steps that ask for them. */
export function prefillDrafts(flow: Flow, details: ContactDetails): StepAnswers {
  const drafts: Record<string, Answers> = {};
  for (const [name, step] of Object.entries(flow.steps)) {
    for (const field of inputFields(step)) {
      const value = (details as Answers)[field];
      if (value) drafts[name] = { ...drafts[name], [field]: value };
    }
  }
  return drafts;
}
