/**
 * The number to call that call tracking has put in place of the fallback
 * (docs/specification.md#call-tracking): shown everywhere, and kept from the survey to the thank-you page,
 * for this tab only. It is a number of ours; there is nothing personal in it.
 */

const KEY = 'survey-call-number';

/** Without look-behind: Safari before 16.4 would not read the whole script. */
const NUMBER = /(^|\D)(?:\+?1[\s.-]*)?\(?([2-9]\d\d)\)?[\s.-]*(\d{3})[\s.-]*(\d{4})(?!\d)/;

/** The ten digits of the first American number in a text or a `tel:` address, or undefined. */
export function tenDigits(text: string): string | undefined {
  return NUMBER.exec(text)?.slice(2).join('');
}

/** A number as it is shown and as it is called. */
export function shownNumber(digits: string): { phoneDisplay: string; phoneHref: string } {
  const phoneDisplay = digits.replace(/^(...)(...)/, '($1) $2-');
  return { phoneDisplay, phoneHref: `tel:+1${digits}` };
}

/**
 * Puts one number in place of another in every link to call, address and text.
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

/** Keeps the number for the thank-you page; never throws. */
export function keepShownNumber(digits: string): void {
  try {
    sessionStorage.setItem(KEY, digits);
  } catch {
    // Without storage the thank-you page shows the fallback.
  }
}

/** The number that was kept, or undefined; never throws. */
export function keptShownNumber(): string | undefined {
  try {
    return tenDigits(sessionStorage.getItem(KEY) ?? '');
  } catch {
    return undefined;
  }
}
