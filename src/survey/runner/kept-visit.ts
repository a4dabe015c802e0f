import type { Survey } from '../../flows/surveys.ts';
import { type KeptState, VISIT_LIFETIME_MS, type Visit, visitOn } from '../../journey/visit.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import { hintVisit, visitHint } from '../queue/visit-hint.ts';
import { wait } from '../scripts/wait.ts';

/** Longest wait for the stored visit. After it a new visit starts. */
const VISIT_WAIT_MS = 500;
/** The same limit if a visit is known to be stored: a new one would replace its answers. */
const HINTED_VISIT_WAIT_MS = 2_000;

type KeptVisit = { readonly visit: Visit; readonly state: KeptState };

/** Returns the visit to resume, if any is read in time. */
export function visitToResume(
  queue: BrowserQueue,
  survey: Pick<Survey, 'path' | 'translation'>,
  now: number,
): Promise<KeptVisit | undefined> {
  const waitMs = visitHint(survey.path) ? HINTED_VISIT_WAIT_MS : VISIT_WAIT_MS;
  return Promise.race([keptVisit(queue, survey, now), wait(waitMs)]);
}

/**
 * Returns the visit to resume, if any: the newest one of the survey and its translation, which continues as the
 * same lead (docs/specification.md#language-switch).
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

/** Stores a visit for the next page load, with a hint for synchronous readers. */
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
