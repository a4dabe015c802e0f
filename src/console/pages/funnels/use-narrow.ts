import { useSyncExternalStore } from 'react';

const query = '(max-width: 45rem)';

/** Tells whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}
