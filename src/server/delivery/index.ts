/** Entry file of delivery: plans, sends, pauses, releases and resends deliveries. */

export { type Buyer, nameOf, readBuyerNames, readBuyers, saveBuyer } from './buyers.ts';
export { readCapUse, usStateOf } from './choose.ts';
export {
  type DestinationHealth,
  destinationState,
  destinationStates,
  openStates,
  readHealth,
  troublesOf,
} from './health.ts';
export { type EventListener, listenersOf, planLeadEvents } from './lead-events.ts';
export { pauseDestination, resumeDestination } from './pause.ts';
export { createIsForSale, createPlan, type PlanRefusal, refusalOf } from './plan.ts';
export {
  type Actor,
  bulkReleaseRefusal,
  dismiss,
  neverSentReason,
  type Releasable,
  readReleasable,
  release,
  releaseLocked,
  releaseRefusal,
  rulingToday,
  type SaleRules,
  statesOf,
} from './release.ts';
export {
  bulkResendRefusal,
  type Resendable,
  type ResendVerdict,
  readResendable,
  readResendVerdicts,
  resend,
  resendLocked,
} from './resend.ts';
export { type RunningDelivery, startDelivery } from './start-delivery.ts';
export { isRevocation, resumeSuppressed, suppressDeliveries } from './suppress.ts';
export type { EndedAttempt, WorkerOptions } from './worker.ts';
