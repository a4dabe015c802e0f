/** An error response (RFC 9457). */
export type Problem = {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly reason: ProblemReason;
  readonly detail?: string | undefined;
};

export type ProblemReason =
  | 'not_json'
  | 'not_an_object'
  | 'no_lead_id'
  | 'unknown_survey'
  | 'too_large'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'too_many_posts'
  | 'too_many_fields'
  | 'too_many_offers'
  | 'too_many_bytes'
  | 'too_many_steps'
  | 'foreign_page'
  | 'not_signed_in'
  | 'not_allowed'
  | 'refused'
  | 'invalid_request'
  | 'not_found'
  | 'unavailable'
  | 'internal';
