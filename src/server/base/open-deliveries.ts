/** The open deliveries of each destination, as the delivery queue counts them and operators see them. */
import type { DestinationHealth } from './destination-health.ts';

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
