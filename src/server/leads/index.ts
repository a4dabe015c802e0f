/** Entry file of leads: accepts leads, stores visits, and handles forms without JavaScript. */
export { type AcceptLead, createAcceptLead } from './accept-lead.ts';
export { createFormVisitStore, type FormRequest, type VisitProof } from './form-visits.ts';
export { createLeadChecks, createVerifyLead } from './lead-checks.ts';
export { addEvent } from './lead-events.ts';
export {
  type DeliveryHistory,
  deliveryName,
  findLead,
  idRange,
  type LeadHistory,
  listOf,
  nextAttemptAt,
  type OtherLead,
  overrideText,
  readHistory,
} from './lead-history.ts';
export { chooseAgain, givesBack, isReturned, isToBuyer } from './lead-statements.ts';
export { createLeadStore, hasOtherLead, type LeadObserver } from './lead-store.ts';
export { createAddressBytes, HOUR_MS } from './post-limits.ts';
export { createProgressMirror } from './progress-mirror.ts';
export { createFormTurns } from './repeated-forms.ts';
export {
  createProgressStore,
  createSaveProgress,
  type SaveProgress,
} from './save-progress.ts';
export { createSurveyForms, type FormPage, type SurveyForms } from './survey-forms.ts';
export { createTakeContactForm, type TakeContactForm } from './take-contact-form.ts';
