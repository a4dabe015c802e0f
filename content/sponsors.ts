/** A lawyer or law firm that takes part in the joint advertisement. */
export type Sponsor = {
  readonly name: string;
  /** The town and state of the office, such as "Austin, Texas". */
  readonly office: string;
  /** The lawyer who is responsible for the advertisement, if the state's rules require one. */
  readonly responsibleLawyer?: string;
  readonly website?: string;
  /** Postal codes of the states for which the sponsor takes part; `all` means every state. */
  readonly states: readonly string[] | 'all';
};

/**
 * The sponsors with office and states. The page also lists the buyers in surveys and settings. An operator completes
 * this list before going live (docs/operations.md).
 */
export const sponsors: readonly Sponsor[] = [];
