/** The colours of the console in this browser, kept in its storage. */

/** The choices of the menu. */
export const themes = [
  { id: 'system', label: 'Colours as the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const;
const key = 'console.theme';

/** Returns the chosen colours. */
export function theme(): string {
  return document.documentElement.dataset.theme ?? 'system';
}

/** Applies the stored choice. It runs before the first paint (scripts/console-build.ts). */
export function applyTheme(): void {
  try {
    document.documentElement.dataset.theme = localStorage.getItem(key) ?? 'system';
  } catch {
    // Without storage the colours are the system's.
  }
}

/** Stores a choice and applies it. Without storage it lasts until the page is loaded again. */
export function setTheme(id: string): void {
  document.documentElement.dataset.theme = id;
  try {
    localStorage.setItem(key, id);
  } catch {}
}
