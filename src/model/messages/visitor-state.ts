/** `GET /api/state`: returns the U.S. state that a proxy reports, or '' (docs/specification.md#date-of-birth). */
export const visitorStatePath = '/api/state';
export type VisitorStateAnswer = { readonly state: string };
