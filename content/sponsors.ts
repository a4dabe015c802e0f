/** A lawyer or law firm that takes part in the joint advertisement. */
export type Sponsor = {
  readonly name: string;
  /** The town and US state of the office. */
  readonly office: string;
  /** The lawyer who is responsible for the advertisement. */
  readonly responsibleLawyer?: string;
  readonly website?: string;
  /** The URL of the bar's record of the lawyer or firm. Default: the bar of the office's state. */
  readonly barRecord?: string;
  /** The US states for which the sponsor takes part. */
  readonly states: readonly string[] | 'all';
};

/** The sponsors. An operator completes this list before going live (docs/operations.md). */
export const sponsors: readonly Sponsor[] = [];

/** An invented firm that the demo shows. Its name marks it as a placeholder. */
export const exampleSponsor: Sponsor = {
  name: 'Partner Law Firm X',
  office: 'Springfield, Illinois',
  responsibleLawyer: 'Alex Example',
  states: ['IL', 'IN', 'WI'],
};
