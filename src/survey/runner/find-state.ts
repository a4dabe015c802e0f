import { type VisitorStateAnswer, visitorStatePath } from '../../contract/visitor-state.ts';

/**
 * Tells the state that a trusted proxy says the visitor is in, where our server knows one. Nothing waits
 * for it; never rejects.
 */
export async function findState(
  tell: (state: string) => void,
  fetcher: typeof fetch = fetch,
): Promise<void> {
  try {
    const answer = await fetcher(visitorStatePath);
    tell(((await answer.json()) as VisitorStateAnswer).state);
  } catch {
    // Not known: nobody is asked for their date of birth because of it.
  }
}
