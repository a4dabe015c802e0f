import { useSyncExternalStore } from 'react';

const everyMs = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the time in milliseconds. It moves every 10 seconds, for all who use it at once. */
export function useNow(): number {
  const read = () => now;
  return useSyncExternalStore(subscribe, read, read);
}
