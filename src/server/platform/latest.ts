/** Makes an entry the newest of a map. Deletes the oldest entry if there are more than `most`. */
export function setLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number) {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
