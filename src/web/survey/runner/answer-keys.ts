/** Elements that handle key presses themselves, such as inputs. */
const TYPING = 'input,select,textarea,dialog,[contenteditable]';

export type AnswerKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey' | 'repeat' | 'defaultPrevented'
>;

/**
 * Returns the index (from 0) of the answer that a key chooses: a digit by its number, Y or S and N the first
 * answer that begins with Yes (Sí) or No. Undefined for other keys, modifiers and repeats.
 *
 * @param labels the answers' texts
 */
export function answerOf(event: AnswerKey, labels: readonly string[]): number | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey, repeat, defaultPrevented } = event;
  if (ctrlKey || altKey || metaKey || shiftKey || repeat || defaultPrevented) return undefined;
  if (/^[1-9]$/.test(key)) return Number(key) <= labels.length ? Number(key) - 1 : undefined;
  const word = { y: /^(yes|sí)(?!\p{L})/iu, s: /^sí(?!\p{L})/iu, n: /^no(?!\p{L})/iu }[key];
  const index = word ? labels.findIndex((label) => word.test(label)) : -1;
  return index < 0 ? undefined : index;
}

/** Clicks the answer on screen that a key press chooses. */
export function takeAnswerKey(event: KeyboardEvent): void {
  if ((event.target as Element).closest(TYPING) || document.querySelector('dialog[open]')) return;
  const buttons = [
    ...document.querySelectorAll<HTMLButtonElement>('[data-step] .choices button[value]'),
  ];
  const index = answerOf(
    event,
    buttons.map((button) => button.textContent),
  );
  if (index === undefined) return;
  event.preventDefault();
  buttons[index]?.click();
}
