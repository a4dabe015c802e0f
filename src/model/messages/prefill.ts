/**
 * `GET /api/prefill?affid={affid}`: returns if the page may prefill contact fields from the landing page's
 * query for this affiliate (docs/specification.md#prefill). The query stays in the browser.
 */
export const prefillPath = '/api/prefill';
export type PrefillAnswer = { readonly result: 'yes' | 'no' };
