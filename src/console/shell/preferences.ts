/** How this browser shows the console: its scheme, kept in the browser's storage. */
import { useSyncExternalStore } from 'react';

const choices = {
  theme: ['system', 'light', 'dark'],
} as const;

/** The name of a preference. */
export type Preference = keyof typeof choices;

const listeners = new Set<() => void>();
const { dataset } = document.documentElement;

function stored(name: Preference): string | null {
  try {
    return localStorage.getItem(`console.${name}`);
  } catch {
    return null;
  }
}

/** Applies the stored preferences. It runs before the first paint (scripts/console-build.ts). */
export function applyPreferences(): void {
  const known = choices.theme.find((choice) => choice === stored('theme'));
  dataset.theme = known ?? choices.theme[0];
}

/** Stores a preference in this browser and applies it. */
export function setPreference(name: Preference, value: string): void {
  dataset[name] = value;
  try {
    localStorage.setItem(`console.${name}`, value);
  } catch {
    // Without storage it lasts until the page is loaded again.
  }
  for (const listener of listeners) listener();
}

/** Returns a preference, and follows it. */
export function usePreference(name: Preference): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => dataset[name] ?? choices[name][0],
  );
}
