/**
 * The number of call tracking (docs/specification.md#call-tracking), which replaces the fallback in every page of
 * this tab. It is one of our numbers, not personal data.
 */

const KEY = 'survey-call-number';

/** Without look-behind, which Safari before 16.4 cannot parse. */
const NUMBER = /(^|\D)(?:\+?1[\s.-]*)?\(?([2-9]\d\d)\)?[\s.-]*(\d{3})[\s.-]*(\d{4})(?!\d)/;

/** Returns the ten digits of the first American number in a text or a `tel:` address. */
export function tenDigits(text: string): string | undefined {
  return NUMBER.exec(text)?.slice(2).join('');
}

/** Returns a number's display text and `tel:` address. */
export function shownNumber(digits: string): { phoneDisplay: string; phoneHref: string } {
  const phoneDisplay = digits.replace(/^(...)(...)/, '($1) $2-');
  return { phoneDisplay, phoneHref: `tel:+1${digits}` };
}

/**
 * Replaces a number in every call link and text.
 *
 * @param fallback, number ten digits
 */
export function replaceNumber(fallback: string, number: string): ReturnType<typeof shownNumber> {
  const shown = shownNumber(number);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="tel:"]')) {
    if ([fallback, number].includes(tenDigits(link.href) ?? '')) link.href = shown.phoneHref;
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (tenDigits(text.data) === fallback) {
      text.data = text.data.replace(NUMBER, `$1${shown.phoneDisplay}`);
    }
  }
  return shown;
}

/** Stores the number for the thank-you page. Never throws. */
export function keepShownNumber(digits: string): void {
  try {
    sessionStorage.setItem(KEY, digits);
  } catch {
    // Without storage the thank-you page shows the fallback.
  }
}

/** Returns the stored number, if any. Never throws. */
export function keptShownNumber(): string | undefined {
  try {
    return tenDigits(sessionStorage.getItem(KEY) ?? '');
  } catch {
    return undefined;
  }
}
