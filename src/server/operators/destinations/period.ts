/** Whole days, such as `2026-07-01`, both included, in a time zone. */
export type LocalPeriod = {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
};
