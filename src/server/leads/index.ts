/** What the other rooms may use: accepting leads, visits, forms without JavaScript, and reading one lead. */
export { type AcceptLead, createAcceptLead } from './accept-lead.ts';
export { createAddressBytes, HOUR_MS } from './address-bytes.ts';
export { findLead, idRange } from './find-lead.ts';
export type { FormRequest, VisitProof } from './form-taking.ts';
export { createFormTurns } from './form-turns.ts';
export { createLeadChecks } from './lead-checks.ts';
export { createLeadStore, hasOtherLead, type LeadObserver, silentObserver } from './lead-store.ts';
export { createProgressMirror } from './progress-mirror.ts';
export { createSaveProgress, type SaveProgress, withoutLimit } from './save-progress.ts';
export { createProgressStore, surveyOfVisit } from './stored-progress.ts';
export { createFormVisitStore } from './stored-visits.ts';
export {
  attemptOutcome,
  type DeliveryStory,
  deliveryName,
  type LeadStory,
  listOf,
  nextAttemptAt,
  type OtherLead,
  overrideText,
  readStory,
} from './story.ts';
export { createSurveyForms, type FormPage, type SurveyForms } from './survey-forms.ts';
export { createTakeContactForm, type TakeContactForm } from './take-contact-form.ts';
export { createVerifyLead } from './verify-lead.ts';
