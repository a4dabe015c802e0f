/** Memories of limited size: the entry that was set longest ago is dropped first. */

/** Sets an entry as the newest, and drops the oldest beyond `most`. */
export function setLatest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
