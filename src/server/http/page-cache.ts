import { type PageDocument, smallest } from './page-document.ts';

/** A page as rendered on one day. */
type CachedPage = {
  readonly day: string;
  page: Promise<PageDocument>;
  /** True as soon as the best compression has started. */
  isCompressed: boolean;
};

/**
 * Creates a cache that renders each page once a day. After midnight it serves yesterday's page until today's is
 * ready. If rendering fails, it continues to serve the old page, and the next request renders again.
 *
 * New pages are compressed quickly. When a page is requested again, the cache compresses it as well as possible in
 * the background, one page at a time (docs/decisions/0032-page-loading.md).
 *
 * @param today returns the calendar day, such as `2026-11-20`
 * @param onFailure called when a cached page cannot be rendered again or compressed. Errors of a new page reach the
 *   caller instead.
 */
export function createPageCache(
  today: () => string,
  onFailure: (url: string, error: unknown) => void,
) {
  const cache = new Map<string, CachedPage>();
  let compressing: Promise<void> = Promise.resolve();

  const compressOnce = (url: string, made: CachedPage) => {
    if (made.isCompressed) return;
    made.isCompressed = true;
    compressing = compressing.then(async () => {
      const page = await made.page.catch(() => undefined);
      if (!page || cache.get(url) !== made) return;
      await smallest(page).then(
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
    const before = cache.get(url);
    if (before?.day === day) {
      compressOnce(url, before);
      return before.page;
    }
    const made: CachedPage = { day, page: render(), isCompressed: false };
    // Requests that arrive during the rendering share its result or get yesterday's page.
    const meanwhile = before ? { day, page: before.page, isCompressed: true } : made;
    cache.set(url, meanwhile);
    const replace = (next: CachedPage | undefined) => {
      if (cache.get(url) !== meanwhile) return;
      if (next) cache.set(url, next);
      else cache.delete(url);
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
