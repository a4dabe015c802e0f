/** IndexedDB with promises. The `idb` package would add a kilobyte to the survey page. */

/** Resolves with the result of a request. */
export function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when a transaction is complete and its writes survive a killed browser. */
export function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Opens a database and creates the object stores of a new one. Rejects without IndexedDB. */
export function openIndexedDb(
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
      // Lets a newer version of the page change the database.
      database.onversionchange = () => database.close();
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}
