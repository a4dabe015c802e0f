/**
 * What all processes know of a service that fails (docs/decisions/0024-checks.md). Answers are undefined while the
 * database is away; nothing throws.
 */
export type SharedCircuit = {
  /**
   * Counts a failure of this process.
   * @returns how long the circuit now stays open, 0 if it does not, and whether this failure opened it
   */
  failed(
    failures: number,
    pauseMs: number,
  ): Promise<{ openForMs: number; isOurs: boolean } | undefined>;
  /**
   * Takes the trial for this process.
   * @returns for how long another process has it; null: another has closed the circuit; 0: it is ours
   */
  takeTrial(pauseMs: number): Promise<number | null | undefined>;
  /** Forgets the failures of all processes. */
  closed(): Promise<void>;
};
