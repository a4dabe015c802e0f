/**
 * `GET /api/state`: the visitor's state as a trusted proxy reports it, a two-letter code or ''
 * (docs/specification.md#date-of-birth). Exists only if the setting VISITOR_STATE_HEADER names a header.
 * The state is not part of the page, so all visitors can share one cached page.
 */
export const visitorStatePath = '/api/state';
export type VisitorStateAnswer = { readonly state: string };
