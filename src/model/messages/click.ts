/** `POST /api/click`: the server registers the click with the click tracker. */
export const clickPath = '/api/click';

/** A click with the click tracker's parameter names. Empty parameters are absent. */
export type Click = {
  readonly offer_id: string;
  readonly affiliate_id: string;
} & {
  readonly [Name in
    | 'sub1'
    | 'sub2'
    | 'sub3'
    | 'sub4'
    | 'sub5'
    | 'uid'
    | 'source_id'
    | 'transaction_id']?: string;
};

/** The click's id, 32 hex digits, or '' if the server registered no click. */
export type ClickAnswer = { readonly transaction_id: string };
