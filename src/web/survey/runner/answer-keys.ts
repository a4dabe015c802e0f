const TYPING = 'input,select,textarea,dialog,[contenteditable]';

/** Returns the index of the answer that a key chooses by its number, or by Y, S or N. */
export function answerOf(event: KeyboardEvent, labels: readonly string[]): number | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey, repeat, defaultPrevented } = event;
  if (ctrlKey || altKey || metaKey || shiftKey || repeat || defaultPrevented) return undefined;
  if (/^[1-9]$/.test(key)) return Number(key) <= labels.length ? Number(key) - 1 : undefined;
  const word = { y: /^(yes|sí)(?!\p{L})/iu, s: /^sí(?!\p{L})/iu, n: /^no(?!\p{L})/iu }[key];
  const index = word ? labels.findIndex((label) => word.test(label)) : -1;
  return index < 0 ? undefined : index;
}

/** Clicks the answer that the pressed key chooses. */
export function takeAnswerKey(event: KeyboardEvent): void {
  if ((event.target as Element).closest(TYPING) || document.querySelector('dialog[open]')) return;
  const buttons = document.querySelectorAll<HTMLElement>('[data-step] .choices button[value]');
  const labels = Array.from(buttons, (button) => button.textContent);
  const index = answerOf(event, labels);
  if (index === undefined) return;
  event.preventDefault();
  buttons[index]?.click();
}
