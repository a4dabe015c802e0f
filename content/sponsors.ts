/** A lawyer or law firm that takes part in the joint advertisement. */
export type Sponsor = {
  readonly name: string;
  /** The town and US state of the office. */
  readonly office: string;
  /** The lawyer who is responsible for the advertisement. */
  readonly responsibleLawyer?: string;
  readonly website?: string;
  /** The US states for which the sponsor takes part. */
  readonly states: readonly string[] | 'all';
};

/** The sponsors. An operator completes this list before going live (docs/operations.md). */
export const sponsors: readonly Sponsor[] = [];
