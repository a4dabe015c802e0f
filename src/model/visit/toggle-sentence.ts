/**
 * Writes a sentence into a text, or removes it if the text contains it. The sentence replaces a text
 * that is only one of `others`, which the visitor has not edited.
 */
export function toggleSentence(
  text: string,
  sentence: string,
  others: readonly string[] = [],
): string {
  if (text.includes(sentence)) {
    return text.replace(sentence, '').replaceAll('  ', ' ').trimStart();
  }
  const before = text.trim();
  // The space at the end lets the visitor go on typing.
  if (before === '' || others.includes(before)) return `${sentence} `;
  return `${before}${/\p{P}$/u.test(before) ? '' : '.'} ${sentence} `;
}
