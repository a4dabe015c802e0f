/** The content type of pages. */
export const HTML = 'text/html; charset=utf-8';

/** Returns whether a content type is HTML. */
export function isHtml(contentType: string): boolean {
  return contentType.startsWith('text/html');
}
