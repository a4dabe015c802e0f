/** What the other rooms may use: questions to third parties about values, and SMS codes. */
export type { Ask, Asked, LeadCheck } from './ask.ts';
export { askService, type Check, createAsk, type RecordedCheck } from './check.ts';
export { createBlockedEmails, createCheckAnswers } from './check-answers.ts';
export { createCheckEmail, createCheckPhone } from './check-contact.ts';
export type { Checks } from './checks.ts';
export type { CircuitState } from './circuit.ts';
export { createDevelopmentCodes } from './development-codes.ts';
export { createEmailCheck } from './email.ts';
export { createEstimate } from './estimate.ts';
export { emailCheck, phoneCheck } from './ipqs.ts';
export { buyerListOfLead, buyerListZip, createFindBuyers, createMapLead } from './one-to-one.ts';
export { createOneToOneStore, type OneToOneStore } from './one-to-one-store.ts';
export { createCountPaidCheck, createPaidChecks } from './paid-checks.ts';
export { checkPhoneByPlan } from './phone.ts';
export {
  createPhoneCodeStore,
  type PhoneCodeStore,
  type VerifiedNumbers,
} from './phone-code-permits.ts';
export { createService, createServiceCircuit, postJson, type Service } from './service.ts';
export { createCheckText, createLookUpZip, createRecallAnswers } from './service-checks.ts';
export { type ServiceObserver, type ServiceState, watchServices } from './service-watch.ts';
export * as services from './services.ts';
export { loadBlockedTermCheck } from './texts.ts';
export { createTwilioVerify, probeTwilio } from './twilio.ts';
export { createVerifyPhone, type VerifyPhone } from './verify-phone.ts';
export { loadZipLookup } from './zip.ts';
