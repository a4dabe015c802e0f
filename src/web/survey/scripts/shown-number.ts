import { callNumberKey } from '../../../model/messages/site-click.ts';

declare global {
  interface Window {
    /** Sets the visit's phone number (ten digits) if it has none. */
    decideNumber?: (digits: string) => void;
  }
}

/**
 * Sets the visit's phone number before the page shows one (docs/specification.md#call-tracking).
 * The number replaces every other phone number on the page. The function's source runs inline in
 * the page, so the function may use nothing outside itself.
 */
function guardNumber(fallback: string, isTracked: boolean, key: string): void {
  /** Longest wait for the widget's number, before the visit uses the fallback number. */
  const waitMs = 6000;
  /** One day, which is also how long a visitor can resume a visit. */
  const lifetimeSeconds = 86400;
  const root = document.documentElement;
  // Safari before 16.4 cannot parse look-behind, so the pattern begins with a group.
  const pattern = /(^|\D)1?\(?([2-9]\d\d)\)?[\s.-]*(\d{3})[\s.-]*(\d{4})(?!\d)/;
  const digitsOf = (text = '') => pattern.exec(text)?.slice(2).join('');
  const wrong: unknown[] = [fallback];
  let number = '';
  const correct = (node: Node) => {
    const { data, protocol, href } = node as Text & HTMLAnchorElement;
    if (!wrong.includes(digitsOf(protocol === 'tel:' ? href : data))) return;
    const shown = `$1${number.replace(/(...)(...)/, '($1) $2-')}`;
    if (data) (node as Text).data = data.replace(pattern, shown);
    else (node as HTMLAnchorElement).href = `tel:+1${number}`;
  };
  const correctAll = (from: Node) => {
    const walker = document.createTreeWalker(from);
    do correct(walker.currentNode);
    while (walker.nextNode());
  };
  const decide = (digits?: string) => {
    if (number || !digits) return;
    root.dataset.number = number = digits;
    if (number === fallback) wrong.pop();
    correctAll(root);
    try {
      localStorage[key] = number;
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is too new
      document.cookie = `${key}=1;path=/;max-age=${lifetimeSeconds}`;
    } catch {
      // Without storage, each page chooses a number.
    }
  };
  window.decideNumber = decide;
  try {
    // Another subdomain could set the cookie, so the cookie does not contain the number itself.
    if (document.cookie.includes(key)) decide(localStorage[key]);
  } catch {
    // A browser without storage has no stored number.
  }
  if (!isTracked || navigator.globalPrivacyControl) decide(fallback);
  root.dataset.number = number;
  setTimeout(decide, waitMs, fallback);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of number ? changes : []) {
      // During parsing the observer reports every node, and later only the root of a new tree.
      addedNodes.forEach(document.readyState === 'loading' ? correct : correctAll);
      correct(target);
    }
    for (const link of document.querySelectorAll<HTMLAnchorElement>('header [href^=tel]')) {
      for (const digits of [link.text, link.href].map(digitsOf)) {
        if (!digits || digits === fallback || digits === number) continue;
        if (!number) decide(digits);
        // After eight corrections the page gives up, because the widget restores its number.
        else if (wrong.push(digits) < 9) correctAll(root);
      }
    }
  }).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
    attributeFilter: ['href'],
  });
}

/** Returns the source of the inline script that runs `guardNumber`. */
export function callNumberScript(fallback: string, isTracked: boolean): string {
  return `(${guardNumber})("${fallback}",${isTracked},"${callNumberKey}")`;
}
