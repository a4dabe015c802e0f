/** The health of a destination, as the delivery queue stores it and operators see it. */
export type DestinationHealth = {
  readonly destination: string;
  /** The number of consecutive failed sends. */
  readonly failures: number;
  /** The last failure in our own words. */
  readonly lastFailure: string | null;
  /** How long the oldest active delivery has waited, including planned pauses; 0: none waits. */
  readonly oldestWaitSeconds: number;
  /** When the lead of the oldest open delivery came; null: none is open. */
  readonly oldestOpenAt: Date | null;
  /** Since when its settings are missing; null: they are present. */
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

export const openStates = ['waiting', 'retrying', 'sending'] as const;

/** The open deliveries of one destination. */
export type OpenDelivery = Readonly<Record<(typeof openStates)[number], number>> & {
  readonly destination: string;
  /** How long the oldest has been due; 0 if none is due. */
  readonly oldestDueSeconds: number;
  /** Undefined for destinations whose errors are ignored. */
  readonly health?: DestinationHealth | undefined;
};
export type OpenDeliveries = readonly OpenDelivery[];

/** Returns a sentence for each problem of a destination. */
export function troublesOf({ destination, health, ...open }: OpenDelivery): string[] {
  if (health === undefined) return [];
  const state = destinationState(health);
  if (state === 'paused') {
    return [`${destination} is paused: ${health.pauseReason ?? 'an operator paused it.'}`];
  }
  if (state === 'off') {
    const isNeeded = open.waiting + open.retrying > 0;
    return isNeeded ? [`Deliveries wait for ${destination}, which has no settings.`] : [];
  }
  const troubles: string[] = [];
  if (health.isFailingTold) {
    const last = health.lastFailure ?? 'no reason kept';
    troubles.push(`The last ${health.failures} sends to ${destination} failed: ${last}.`);
  }
  if (health.isWaitingTold) {
    const minutes = Math.round(health.oldestWaitSeconds / 60);
    troubles.push(`The oldest lead to ${destination} has waited for ${minutes} minutes.`);
  }
  return troubles;
}
