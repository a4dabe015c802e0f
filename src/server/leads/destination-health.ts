/** How a destination does, as the delivery queue keeps it and operators see it. */
export type DestinationHealth = {
  readonly destination: string;
  /** Sends in a row that failed, and what the last said in our own words. */
  readonly failures: number;
  readonly lastFailure: string | null;
  /** For how long the oldest delivery that still moves has waited, planned pauses included; 0: none has. */
  readonly oldestWaitSeconds: number;
  /** Since when its settings are not given; null: they are. */
  readonly offAt: Date | null;
  readonly pausedAt: Date | null;
  readonly pauseReason: string | null;
  readonly isFailingTold: boolean;
  readonly isWaitingTold: boolean;
};
