/**
 * `GET /api/prefill?affid={affid}`: whether to prefill the contact fields of this affiliate's visitors
 * from the landing page's query (docs/specification.md#prefill). That query stays in the browser. A failed
 * look-up answers `no`.
 */
export const prefillPath = '/api/prefill';
export type PrefillAnswer = { readonly result: 'yes' | 'no' };
