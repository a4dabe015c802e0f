/**
 * `POST /api/click`: our server makes the visitor's click at the click tracker
 * (docs/specification.md#transaction-id). There only where the setting says that the server makes it.
 */
export const clickPath = '/api/click';

/** The click as the tracker's own script is told it; what is empty is left out. */
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

/** `transaction_id` of 32 hex digits, or empty where no click was made. */
export type ClickAnswer = { readonly transaction_id: string };
