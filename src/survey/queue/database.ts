/**
 * IndexedDB with promises, as far as the queue needs it. Written out here because the `idb` package
 * would cost the survey page a kilobyte more than these lines.
 */

/** The result of one request. */
export function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when a transaction is complete, which is when its writes survive a killed browser. */
export function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Opens a database, making its object stores when it is new. Rejects where there is no IndexedDB. */
export function openDatabase(
  name: string,
  version: number,
  stores: Readonly<Record<string, IDBObjectStoreParameters>>,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const [store, parameters] of Object.entries(stores)) {
        request.result.createObjectStore(store, parameters);
      }
    };
    request.onsuccess = () => {
      const database = request.result;
      // A later version of the page wants to change the database: make way.
      database.onversionchange = () => database.close();
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}
