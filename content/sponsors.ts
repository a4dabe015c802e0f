/** A lawyer or law firm that takes part in the joint advertisement. */
export type Sponsor = {
  readonly name: string;
  /** Where its office is: "Austin, Texas". */
  readonly office: string;
  /** The lawyer who answers for the advertisement, where the state's rules ask for one. */
  readonly responsibleLawyer?: string;
  readonly website?: string;
  /** Postal codes of the states that it takes part for; `all`: every one. */
  readonly states: readonly string[] | 'all';
};

/**
 * The sponsors whose office and states are known. The page also lists the buyers that surveys name and
 * that settings give; an operator completes this list before going live (docs/operations.md).
 */
export const sponsors: readonly Sponsor[] = [];
