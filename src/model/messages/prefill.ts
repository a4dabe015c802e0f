/** `GET /api/prefill?affid={affid}`: may the page fill in contact fields? (docs/specification.md#prefill) */
export const prefillPath = '/api/prefill';
export type PrefillAnswer = { readonly result: 'yes' | 'no' };
