import { type PageDocument, smallest } from './page-document.ts';

/** A page and the day on which the page was rendered. */
type CachedPage = { readonly day: string; page: Promise<PageDocument>; isCompressed: boolean };

/** Creates a cache that renders each page once a day (docs/decisions/0032-page-loading.md). */
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
        cached.page = Promise.resolve(await smallest(await cached.page));
      })
      .catch((error: unknown) => onFailure(url, error));
  };

  /** Returns the page with the cache key `url`. */
  return (url: string, render: () => Promise<PageDocument>): Promise<PageDocument> => {
    const day = today();
    const before = cache.get(url);
    if (before?.day === day) {
      compressOnce(url, before);
      return before.page;
    }
    const page = render().catch((error: unknown) => {
      if (!before) {
        cache.delete(url);
        throw error;
      }
      // Until the page of today can be rendered, requests get the earlier page.
      cache.set(url, before);
      onFailure(url, error);
      return before.page;
    });
    cache.set(url, { day, page, isCompressed: false });
    return page;
  };
}
