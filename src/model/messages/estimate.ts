/** `POST /api/estimate`: returns the level, 1 to 7, for a case (docs/specification.md#compensation-level). */
export const estimatePath = '/api/estimate';
export type EstimateAnswer = { readonly compLevel: number };
