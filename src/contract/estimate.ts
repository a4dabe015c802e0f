/**
 * `POST /api/estimate`, body: the answers, without anything that says who the visitor is. Answers the
 * compensation level of the case, 1 to 7 (docs/specification.md#compensation-level).
 */
export const estimatePath = '/api/estimate';
export type EstimateAnswer = { readonly compLevel: number };
