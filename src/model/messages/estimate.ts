/** Path that returns a compensation level (docs/specification.md#compensation-level). */
export const estimatePath = '/api/estimate';
export type EstimateAnswer = { readonly compLevel: number };
