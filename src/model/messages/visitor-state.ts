/** Path that returns the visitor's U.S. state (docs/specification.md#date-of-birth). */
export const visitorStatePath = '/api/state';
export type VisitorStateAnswer = { readonly state: string };
