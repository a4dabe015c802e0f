/** The id of the live region in the shell. */
export const announcerId = 'announcer';

/** Says a text through the live region. */
export function announce(text: string): void {
  const region = document.getElementById(announcerId);
  if (!region) return;
  // The same text again is said only after a change.
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}
