/** Path that returns whether to prefill contact details (docs/specification.md#prefill). */
export const prefillPath = '/api/prefill';
export type PrefillAnswer = { readonly result: 'yes' | 'no' };
