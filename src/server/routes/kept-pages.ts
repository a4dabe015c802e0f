import type { PageDocument } from './page-document.ts';

/** A page as it was rendered on a day. */
type KeptPage = { readonly day: string; readonly page: Promise<PageDocument> };

/**
 * Pages that are rendered once a day and kept. At midnight, yesterday's stands until today's is there:
 * nobody waits, and a page that cannot be rendered again is still the one of the day before. A page that
 * fails is not kept, and tried again for whoever asks next.
 *
 * @param today the calendar day, for example `2026-11-20`
 * @param onFailure is told of a page that could not be rendered again; who asks for one that was never
 *   there gets the error itself
 */
export function createKeptPages(
  today: () => string,
  onFailure: (url: string, error: unknown) => void,
) {
  const kept = new Map<string, KeptPage>();

  /** @param url what is rendered, and what it is kept by */
  return (url: string, render: () => Promise<PageDocument>): Promise<PageDocument> => {
    const day = today();
    const before = kept.get(url);
    if (before?.day === day) return before.page;
    const made: KeptPage = { day, page: render() };
    // Who asks meanwhile begins no rendering of their own.
    const meanwhile = before ? { day, page: before.page } : made;
    kept.set(url, meanwhile);
    const replace = (next: KeptPage | undefined) => {
      if (kept.get(url) !== meanwhile) return;
      if (next) kept.set(url, next);
      else kept.delete(url);
    };
    made.page.then(
      () => replace(made),
      (error: unknown) => {
        replace(before);
        if (before) onFailure(url, error);
      },
    );
    return meanwhile.page;
  };
}
