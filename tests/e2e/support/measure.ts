import type { Page } from '@playwright/test';

/** Returns how much wider the page is than its window, and the targets that are too small. */
export function measure(page: Page, least: number) {
  return page.evaluate((least) => {
    const isInSentence = (element: Element) => {
      const around = element.parentElement?.textContent?.trim().length ?? 0;
      const own = element.textContent?.trim().length ?? 0;
      return getComputedStyle(element).display === 'inline' && around > own + 3;
    };
    for (const closed of document.querySelectorAll('main details')) closed.setAttribute('open', '');
    const small = [...document.querySelectorAll('a, button, input, select, textarea, summary')]
      .map((element) => {
        const box = (element.closest('label') ?? element).getBoundingClientRect();
        return { element, box };
      })
      .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < least)
      .filter(({ element }) => !element.matches('.skip, [aria-hidden]') && !isInSentence(element))
      .map(({ element }) => element.outerHTML.slice(0, 120));
    const { scrollWidth, clientWidth } = document.documentElement;
    const wider = Math.max(scrollWidth, document.body.scrollWidth) - clientWidth;
    return { wider: Math.max(0, wider), small };
  }, least);
}
