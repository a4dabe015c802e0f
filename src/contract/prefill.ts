/**
 * `GET /api/prefill?affid={affid}`: whether the contact fields of this affiliate's visitors are
 * prefilled from the landing page's query (docs/specification.md#prefill). The query with the details
 * itself never comes here. Answers no where nobody can say.
 */
export const prefillPath = '/api/prefill';
export type PrefillAnswer = { readonly result: 'yes' | 'no' };
