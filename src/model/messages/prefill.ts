/** `GET /api/prefill?affid={affid}`: returns whether to prefill (docs/specification.md#prefill). */
export const prefillPath = '/api/prefill';
export type PrefillAnswer = { readonly result: 'yes' | 'no' };
