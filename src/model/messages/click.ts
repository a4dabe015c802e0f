/** Path at which the server registers an ad click with the click tracker. */
export const clickPath = '/api/click';

/** An ad click, with the parameter names of the click tracker. */
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

/** The id of the registered ad click, or ''. */
export type ClickAnswer = { readonly transaction_id: string };
