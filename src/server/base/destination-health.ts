/** The health of a destination, as the delivery queue stores it and operators see it. */
export type DestinationHealth = {
  readonly destination: string;
  /** The number of consecutive failed sends. */
  readonly failures: number;
  /** The last failure in our own words. */
  readonly lastFailure: string | null;
  /** How long the oldest active delivery has waited, including planned pauses; 0: none waits. */
  readonly oldestWaitSeconds: number;
  /** Since when its settings are missing; null: they are present. */
  readonly offAt: Date | null;
  readonly pausedAt: Date | null;
  readonly pauseReason: string | null;
  readonly isFailingTold: boolean;
  readonly isWaitingTold: boolean;
};
