/**
 * Writes a sentence into a text, or removes it if the text contains it. One of `rivals` replaces a
 * text that is only another one, which the visitor has not edited.
 */
export function toggleSentence(
  text: string,
  sentence: string,
  rivals: readonly string[] = [],
): string {
  if (text.includes(sentence)) {
    return text.replace(sentence, '').replaceAll('  ', ' ').trimStart();
  }
  const before = text.trim();
  // The space at the end lets the visitor go on typing.
  const isRival = rivals.includes(sentence) && rivals.includes(before);
  if (before === '' || isRival) return `${sentence} `;
  return `${before}${/\p{P}$/u.test(before) ? '' : '.'} ${sentence} `;
}
