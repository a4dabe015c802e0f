/**
 * `GET /api/state`: the state that a trusted proxy says the visitor is in, a two-letter code, or '' where
 * it says none (docs/specification.md#date-of-birth). Answered and asked for only where the setting
 * VISITOR_STATE_HEADER names a header. Nothing of it is in a page, so that pages stay the same for all.
 */
export const visitorStatePath = '/api/state';
export type VisitorStateAnswer = { readonly state: string };
