import { type PrefillAnswer, prefillPath } from '../../contract/prefill.ts';

/** Returns whether an affiliate's visitors get their contact fields prefilled. A failure means no. */
export async function isPrefilled(affid: string, fetcher: typeof fetch = fetch): Promise<boolean> {
  try {
    const answer = await fetcher(`${prefillPath}?affid=${affid}`);
    return ((await answer.json()) as PrefillAnswer).result === 'yes';
  } catch {
    return false;
  }
}
