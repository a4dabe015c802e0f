import type { PageDocument } from './page-document.ts';

/** A page as it was rendered on a day. */
type KeptPage = {
  readonly day: string;
  page: Promise<PageDocument>;
  /** Nothing is left to win by compressing it longer, or that is under way. */
  isCompressed: boolean;
};

type KeptPagesOptions = {
  /** The calendar day, for example `2026-11-20`. */
  readonly today: () => string;
  /**
   * Is told of a page that could not be rendered again, or not compressed better; who asks for one that was
   * never there gets the error itself.
   */
  readonly onFailure: (url: string, error: unknown) => void;
  /** The same page, as small as it gets. */
  readonly compress: (page: PageDocument) => Promise<PageDocument>;
};

/**
 * Pages that are rendered once a day and kept. At midnight, yesterday's stands until today's is there:
 * nobody waits, and a page that cannot be rendered again is still the one of the day before. A page that
 * fails is not kept, and tried again for whoever asks next.
 *
 * A page comes compressed in a hurry. One that is asked for again is compressed as well as can be, one page
 * at a time, beside the answers (docs/decisions/0006-page-cache.md).
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

  /** @param url what is rendered, and what it is kept by */
  return (url: string, render: () => Promise<PageDocument>): Promise<PageDocument> => {
    const day = today();
    const before = kept.get(url);
    if (before?.day === day) {
      compressOnce(url, before);
      return before.page;
    }
    const made: KeptPage = { day, page: render(), isCompressed: false };
    // Who asks meanwhile begins no rendering of their own.
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
