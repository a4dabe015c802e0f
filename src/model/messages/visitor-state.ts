/**
 * `GET /api/state`: returns the state that a trusted proxy reports, as a two-letter code or ''
 * (docs/specification.md#date-of-birth). Needs the setting VISITOR_STATE_HEADER. A call of its own, so that
 * all visitors can share one cached page.
 */
export const visitorStatePath = '/api/state';
export type VisitorStateAnswer = { readonly state: string };
