/** `GET /api/state`: returns a U.S. state or '' (docs/specification.md#date-of-birth). */
export const visitorStatePath = '/api/state';
export type VisitorStateAnswer = { readonly state: string };
