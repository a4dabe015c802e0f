import {
  type VisitorStateAnswer,
  visitorStatePath,
} from '../../../model/messages/visitor-state.ts';

/** Calls `tell` with the visitor's state, if a trusted proxy has told our server. Never rejects. */
export async function findState(
  tell: (state: string) => void,
  fetcher: typeof fetch = fetch,
): Promise<void> {
  try {
    const answer = await fetcher(visitorStatePath);
    tell(((await answer.json()) as VisitorStateAnswer).state);
  } catch {
    // Without a state the survey asks nothing more.
  }
}
