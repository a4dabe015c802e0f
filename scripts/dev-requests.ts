/** Paths that the API answers to whatever method: its own calls, pages of one visit, and their scripts. */
const ofApi = /^\/(api\/|us\/|_astro\/|healthz$|readyz$)|\/continue$/;

/**
 * Whether the API answers a request under `npm run dev`, and not Astro's development server: whatever is
 * posted, forms included, and what only it has.
 */
export function isForApi(method: string | undefined, url: string | undefined): boolean {
  const [path = ''] = (url ?? '').split('?');
  return method === 'POST' || ofApi.test(path);
}
