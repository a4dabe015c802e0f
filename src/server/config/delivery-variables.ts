/** The settings of the delivery queue. */
import { wholeNumber } from '../base/variable.ts';

export const deliveryVariables = {
  DELIVERY_CONCURRENCY: wholeNumber(0, 500, 50),
  DESTINATION_FAILURES: wholeNumber(1, 1_000, 5),
  DESTINATION_WAIT_MINUTES: wholeNumber(1, 10_080, 10, ' of minutes'),
} as const;
