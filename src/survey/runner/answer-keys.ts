/** Where a key belongs to what is being typed or chosen, or to a dialog. */
const TYPING = 'input,select,textarea,dialog,[contenteditable]';

/** What of a key press says which answer is meant. */
export type AnswerKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey' | 'repeat' | 'defaultPrevented'
>;

/**
 * The answer that a key chooses, by its place in the list (from 0): a digit counts, Y or S and N are the
 * first answers that begin with Yes (Sí) and No. Undefined for any other key, with a modifier, or while a
 * key is held down.
 *
 * @param labels what stands on the answers
 */
export function answerOf(event: AnswerKey, labels: readonly string[]): number | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey, repeat, defaultPrevented } = event;
  if (ctrlKey || altKey || metaKey || shiftKey || repeat || defaultPrevented) return undefined;
  if (/^[1-9]$/.test(key)) return Number(key) <= labels.length ? Number(key) - 1 : undefined;
  const word = { y: /^(yes|sí)(?!\p{L})/iu, s: /^sí(?!\p{L})/iu, n: /^no(?!\p{L})/iu }[key];
  const index = word ? labels.findIndex((label) => word.test(label)) : -1;
  return index < 0 ? undefined : index;
}

/** Takes a key press as the tap on an answer of the question on screen, where it means one. */
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
