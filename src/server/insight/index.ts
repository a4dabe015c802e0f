export { readNow } from './attention.ts';
export { readBuyerList, saveTerms } from './buyers.ts';
export { countingOptions, countPortion, recount, startCounting } from './counting.ts';
export { readDeliveries } from './deliveries.ts';
export { readExperiments } from './experiments.ts';
export { type FunnelSegment, readFunnel } from './funnel.ts';
export { type Act, type PreparedAct, prepareAction, prepareResend } from './lead-actions.ts';
export { type ExportFormat, exportText } from './lead-export.ts';
export {
  type LeadListContext,
  leadListOf,
  namesPerson,
  parseLeadFilter,
  recordedFilter,
} from './lead-filter.ts';
export * from './lead-list.ts';
export { readAttemptBytes, readLead } from './lead-page.ts';
export { exportLedger } from './money-export.ts';
export { checkPeriod, countedUntil, readBreakdown, readOverview } from './overview.ts';
export { createSpeedCount, readSpeeds } from './page-speed.ts';
export { cancelPlan, listPlans, makePlan, readPlan, readPlanItems, startPlan } from './plans.ts';
export { startPlans } from './run-plan.ts';
export { csvRecord } from './safe-text.ts';
export { readSurveys } from './surveys.ts';
export { counted, destinationTitle } from './words.ts';
