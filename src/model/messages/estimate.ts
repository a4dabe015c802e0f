/** `POST /api/estimate`: returns a level, 1 to 7 (docs/specification.md#compensation-level). */
export const estimatePath = '/api/estimate';
export type EstimateAnswer = { readonly compLevel: number };
