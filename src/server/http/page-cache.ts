import { type PageDocument, smallest } from './page-document.ts';

/** A page as rendered on one day. */
type CachedPage = {
  readonly day: string;
  page: Promise<PageDocument>;
  /** True as soon as the compression with the best level has started. */
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

  const compressOnce = (url: string, cached: CachedPage) => {
    if (cached.isCompressed) return;
    cached.isCompressed = true;
    compressing = compressing
      .then(async () => {
        const smaller = await smallest(await cached.page);
        cached.page = Promise.resolve(smaller);
      })
      .catch((error: unknown) => onFailure(url, error));
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
    // Until the new page is ready, requests get yesterday's page, or wait if none is cached.
    const meanwhile = before ? { day, page: before.page, isCompressed: true } : made;
    cache.set(url, meanwhile);
    made.page.then(
      () => cache.set(url, made),
      (error: unknown) => {
        if (!before) return cache.delete(url);
        cache.set(url, before);
        return onFailure(url, error);
      },
    );
    return meanwhile.page;
  };
}
