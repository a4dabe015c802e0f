export { type Erasure, erase, findErasure, listErasures } from './erase.ts';
export { requestSubject, subjectOf } from './forget-reasons.ts';
export { createTakeOptOut, type TakeOptOut } from './opt-out.ts';
export {
  dismissRequests,
  honourRequests,
  listOptOuts,
  selectionOf,
  undoRequests,
} from './opt-out-review.ts';
export { contactOf, type People } from './person.ts';
export { type Receipt, receiptLines } from './receipts.ts';
export { startPurge } from './retention.ts';
export { confirmRevocation, listRevocations } from './revocations.ts';
export {
  bulkSuppressRefusal,
  listSuppressions,
  lookUpSuppression,
  readSuppressible,
  type Suppressible,
  suppress,
  suppressPerson,
  undoSuppress,
} from './suppress.ts';
export { importSuppressions } from './suppression-import.ts';
