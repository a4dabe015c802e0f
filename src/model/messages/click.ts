/** `POST /api/click`: registers the click with the click tracker, if a setting makes that the server's job. */
export const clickPath = '/api/click';

/** A click, with the parameter names of the tracker's script; empty parameters are left out. */
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

/** `transaction_id`: 32 hex digits, or empty if no click was registered. */
export type ClickAnswer = { readonly transaction_id: string };
