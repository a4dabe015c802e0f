/** Entry file of the checks of visitors' values, and of SMS codes. */
import type { Click } from '../../model/messages/click.ts';
import type { createCheckEmail, createCheckPhone } from './check-contact.ts';
import type { createEstimate } from './estimate.ts';
import type { createFindBuyers, createMapLead } from './one-to-one.ts';
import type { createCheckText, createCheckZip } from './zip-and-text.ts';

export { askService, type Check, createAsk, type RecordedCheck } from './check.ts';
export { createBlockedEmails, createCheckAnswers } from './check-answers.ts';
export { checkPhoneByPlan, createCheckEmail, createCheckPhone } from './check-contact.ts';
export { createDevelopmentCodes, createTwilioVerify, probeTwilio } from './code-senders.ts';
export { createEmailCheck } from './email.ts';
export { createEstimate } from './estimate.ts';
export { emailCheck, phoneCheck } from './ipqs.ts';
export {
  buyerListOfLead,
  buyerListZip,
  createFindBuyers,
  createMapLead,
  createOneToOneStore,
  type OneToOneStore,
} from './one-to-one.ts';
export { createCountPaidCheck, createPaidChecks } from './paid-checks.ts';
export {
  createPhoneCodeStore,
  type PhoneCodeStore,
  type VerifiedNumbers,
} from './phone-code-permits.ts';
export type { Ask, Asked, CircuitState, LeadCheck } from './service.ts';
export {
  createService,
  createServiceCircuit,
  postJson,
  type Service,
  type ServiceObserver,
  type ServiceState,
  watchServices,
} from './service.ts';
export * as services from './services.ts';
export { createVerifyPhone, type VerifyPhone } from './verify-phone.ts';
export {
  createCheckText,
  createCheckZip,
  createRecallAnswers,
  loadBlockedTermCheck,
  loadZipTable,
} from './zip-and-text.ts';

/** The checks that can run before the visitor posts the lead. */
export type Checks = {
  readonly checkZip: ReturnType<typeof createCheckZip>;
  readonly checkPhone: ReturnType<typeof createCheckPhone>;
  readonly checkEmail: ReturnType<typeof createCheckEmail>;
  readonly checkText: ReturnType<typeof createCheckText>;
  readonly mapLead: ReturnType<typeof createMapLead>;
  readonly findBuyers: ReturnType<typeof createFindBuyers>;
  readonly estimate: ReturnType<typeof createEstimate>;
  /** Returns whether to prefill the contact fields of an affiliate's visitors. Never throws. */
  readonly checkPrefill: (affid: string) => Promise<boolean>;
  /** Registers an ad click, and returns its transaction id. */
  readonly trackClick?: ((click: Click) => Promise<string>) | undefined;
};
