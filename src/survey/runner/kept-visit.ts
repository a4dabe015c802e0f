import type { Survey } from '../../flows/surveys.ts';
import { type KeptState, VISIT_LIFETIME_MS, type Visit, visitOn } from '../../journey/visit.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import { hintVisit } from '../queue/visit-hint.ts';

type KeptVisit = { readonly visit: Visit; readonly state: KeptState };

/**
 * Returns the visit that can be taken up again: the newest of the survey and of its translation, which goes
 * on here as the same lead (docs/specification.md#language-switch). Undefined: there is none.
 */
export async function keptVisit(
  queue: BrowserQueue,
  { path, translation }: Pick<Survey, 'path' | 'translation'>,
  now: number,
): Promise<KeptVisit | undefined> {
  const [newest] = (await queue.outbox.visits())
    .filter(
      ({ survey, saved_at, visit }) =>
        (survey === path || survey === translation) && visit && now - saved_at < VISIT_LIFETIME_MS,
    )
    .sort((a, b) => b.saved_at - a.saved_at);
  const kept = newest?.visit as KeptVisit | undefined;
  return kept && { ...kept, visit: visitOn(path, kept.visit) };
}

/** Keeps a visit for the next page load; leaves a hint where only a synchronous look is possible. */
export async function keepVisit(
  queue: BrowserQueue,
  visit: Visit,
  { given, drafts, at }: KeptState,
  now: number,
): Promise<void> {
  const { survey, lead_id } = visit.session;
  hintVisit(survey, true);
  const kept: KeptVisit = { visit, state: { given, drafts, at } };
  await queue.outbox.keepVisit(survey, { survey, lead_id, saved_at: now, visit: kept });
}
