import type { Page } from '@playwright/test';

/** Returns everything that the browser stores of a visit, as text. */
export function keptData(page: Page): Promise<string> {
  return page.evaluate(keptInPage);
}

/** Runs in a page, so it may use nothing from outside. */
export async function keptInPage(): Promise<string> {
  const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
  for (const { name } of await indexedDB.databases()) {
    if (!name) continue;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    for (const store of database.objectStoreNames) {
      const rows = await new Promise((resolve, reject) => {
        const all = database.transaction(store).objectStore(store).getAll();
        all.onsuccess = () => resolve(all.result);
        all.onerror = () => reject(all.error);
      });
      kept.push(rows);
    }
    database.close();
  }
  return JSON.stringify(kept);
}
