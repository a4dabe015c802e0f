/** What the other rooms may use: lead list and page, numbers, deliveries, exports and plans of bulk actions. */
export { readExperiments } from './counts/experiments.ts';
export { type FunnelSegment, readFunnel } from './counts/funnel.ts';
export { countingOptions, countPortion, recount, startCounting } from './counts/job.ts';
export { readNow } from './counts/now.ts';
export { checkPeriod, readBreakdown, readOverview } from './counts/overview.ts';
export { readDeliveries } from './deliveries/read-deliveries.ts';
export { escapeControls, escapedControls } from './escape-controls.ts';
export { leadListOf } from './lead-list/condition.ts';
export { type ExportFormat, exportLeads, exportText, listedJson } from './lead-list/export.ts';
export { namesPerson, parseLeadFilter, recordedFilter } from './lead-list/filter.ts';
export {
  countedUntil,
  countLeads,
  type LeadListContext,
  type ListedLead,
  leadValues,
  listLeads,
  readLeads,
  readPlace,
} from './lead-list/list.ts';
export { type Act, type PreparedAct, prepareAction, prepareResend } from './lead-page/actions.ts';
export { readAttemptBytes, readLead } from './lead-page/read-lead.ts';
export { makePlan } from './plans/make-plan.ts';
export { cancelPlan, listPlans, readPlan, readPlanItems, startPlan } from './plans/read-plans.ts';
export { runPlan, startPlans } from './plans/run-plan.ts';
export { readSurveys } from './survey-table.ts';
export {
  type DestinationState,
  LEADS_LOOKED_AT,
  readConsentTexts,
  readDatabase,
  readDestinationStates,
  readRulesVersions,
} from './system.ts';
export { counted, destinationTitle, isBuyer } from './words.ts';
