/** Paths that the API answers for every method: its own calls, pages of one visit, and their scripts. */
const ofApi = /^\/(api\/|us\/|_astro\/|healthz$|readyz$)|\/continue$/;

/**
 * Returns whether, under `npm run dev`, the API answers a request instead of Astro's development
 * server: every post, including forms, and the API's own paths.
 */
export function isForApi(method: string | undefined, url: string | undefined): boolean {
  const [path = ''] = (url ?? '').split('?');
  return method === 'POST' || ofApi.test(path);
}
