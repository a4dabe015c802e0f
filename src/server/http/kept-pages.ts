import type { PageDocument } from './page-document.ts';

/** A cached page of one day. */
type KeptPage = {
  readonly day: string;
  page: Promise<PageDocument>;
  /** Whether the best compression is done or running. */
  isCompressed: boolean;
};

type KeptPagesOptions = {
  /** Returns the calendar day, such as `2026-11-20`. */
  readonly today: () => string;
  /** Called when a cached page could not be rendered again or compressed. Errors of new pages are thrown. */
  readonly onFailure: (url: string, error: unknown) => void;
  /** Returns the page compressed as well as possible. */
  readonly compress: (page: PageDocument) => Promise<PageDocument>;
};

/**
 * Creates a cache that renders each page once a day. After midnight, yesterday's page is served until today's is
 * ready, and stays if rendering fails. Failures are not cached; the next request renders again.
 *
 * New pages are compressed quickly. A page that is requested again is compressed as well as possible, one page
 * at a time, in the background (docs/decisions/0006-page-cache.md).
 */
export function createKeptPages({ today, onFailure, compress }: KeptPagesOptions) {
  const kept = new Map<string, KeptPage>();
  let compressing: Promise<void> = Promise.resolve();

  const compressOnce = (url: string, made: KeptPage) => {
    if (made.isCompressed) return;
    made.isCompressed = true;
    compressing = compressing.then(async () => {
      const page = await made.page.catch(() => undefined);
      if (!page || kept.get(url) !== made) return;
      await compress(page).then(
        (smaller) => {
          made.page = Promise.resolve(smaller);
        },
        (error: unknown) => onFailure(url, error),
      );
    });
  };

  /** @param url the cache key */
  return (url: string, render: () => Promise<PageDocument>): Promise<PageDocument> => {
    const day = today();
    const before = kept.get(url);
    if (before?.day === day) {
      compressOnce(url, before);
      return before.page;
    }
    const made: KeptPage = { day, page: render(), isCompressed: false };
    // Requests that arrive during the rendering do not start another one.
    const meanwhile = before ? { day, page: before.page, isCompressed: true } : made;
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
