/** What Astro says of a page. */
export const HTML = 'text/html; charset=utf-8';

/** Whether what was rendered is a page, and not a file. */
export function isHtml(contentType: string): boolean {
  return contentType.startsWith('text/html');
}
