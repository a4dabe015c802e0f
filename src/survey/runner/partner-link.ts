/**
 * The partner page's address from the last step to the thank-you page, where the link is shown in
 * case the browser blocked the tab. It is kept for this tab only and has nothing personal in it.
 */
const KEY = 'survey-partner';

/** Keeps the address, or forgets an earlier lead's; never throws. */
export function keepPartnerLink(href: string | undefined): void {
  try {
    if (href === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, href);
  } catch {
    // Without storage the tab was the only way there.
  }
}

/** The address that was kept, or undefined; never throws. */
export function keptPartnerLink(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
