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
  /** When the lead of the oldest open delivery came; null: none is open. */
  readonly oldestOpenAt: Date | null;
  readonly offAt: Date | null;
  readonly pausedAt: Date | null;
  /** `answer`: it refused our account; otherwise the operator's name. */
  readonly pausedBy: string | null;
  readonly pauseReason: string | null;
  readonly isFailingTold: boolean;
  readonly isWaitingTold: boolean;
  readonly isExpiringTold: boolean;
};

/** The states of a destination. `off`: without settings. `failing`: its operators were alerted. */
export const destinationStates = ['on', 'off', 'paused', 'failing'] as const;

/** Returns the state of a destination. */
export function destinationState(health: DestinationHealth): (typeof destinationStates)[number] {
  if (health.offAt !== null) return 'off';
  if (health.pausedAt !== null) return 'paused';
  return health.isFailingTold || health.isWaitingTold ? 'failing' : 'on';
}
