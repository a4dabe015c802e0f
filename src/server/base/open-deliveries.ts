/** The open deliveries of each destination, as the delivery queue counts them and operators see them. */
import { type DestinationHealth, destinationState } from './destination-health.ts';

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
  const { failures, lastFailure, pauseReason, oldestWaitSeconds } = health;
  const waited = `${Math.round(oldestWaitSeconds / 60)} minutes`;
  switch (destinationState(health)) {
    case 'off':
      return open.waiting + open.retrying === 0
        ? []
        : [`Deliveries wait for ${destination}, which has no settings.`];
    case 'paused':
      return [`${destination} is paused: ${pauseReason ?? 'an operator paused it.'}`];
    case 'failing':
      return [
        ...(health.isFailingTold
          ? [
              `The last ${failures} sends to ${destination} failed: ${lastFailure ?? 'no reason kept'}.`,
            ]
          : []),
        ...(health.isWaitingTold
          ? [`The oldest lead to ${destination} has waited for ${waited}.`]
          : []),
      ];
    default:
      return [];
  }
}
