/** Control characters, and characters that reverse the direction of text. */
const STEERS = /(?!\r\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes CSV or JSON safe for a terminal: writes control characters as `\u001b`, except line ends and tabs.
 * The value of JSON does not change.
 */
export function escapeControls(text: string): string {
  return text.replace(STEERS, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes a text as it is streamed. */
export async function* escapedControls(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of text) yield escapeControls(part);
}
