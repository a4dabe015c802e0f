import { type PrefillAnswer, prefillPath } from '../../contract/prefill.ts';
import type { ContactDetails } from '../../domain/contact-parameters.ts';
import type { Flow } from '../../flows/engine/flow.ts';
import { prefillDrafts, withPrefill } from '../../journey/prefill.ts';
import type { JourneyAction, JourneyState } from '../../journey/state.ts';

/** Returns whether an affiliate's visitors get their contact fields prefilled. A failure means no. */
export async function isPrefilled(affid: string, fetcher: typeof fetch = fetch): Promise<boolean> {
  try {
    const answer = await fetcher(`${prefillPath}?affid=${affid}`);
    return ((await answer.json()) as PrefillAnswer).result === 'yes';
  } catch {
    return false;
  }
}

/**
 * Fills empty contact fields with the details of the landing address, as drafts for the visitor to confirm, if that is
 * on for the affiliate.
 */
export async function prefill(
  runner: {
    dispatch(action: JourneyAction): boolean;
    getState(): JourneyState;
    keep(): Promise<void>;
  },
  flow: Flow,
  details: ContactDetails,
  affid: string,
): Promise<void> {
  if (!(await isPrefilled(affid)) || runner.getState().phase !== 'asking') return;
  const change = withPrefill(runner.getState(), prefillDrafts(flow, details));
  runner.dispatch({ type: 'changed', change });
  await runner.keep();
}
