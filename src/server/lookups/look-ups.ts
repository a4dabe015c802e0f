import type { createCheckEmail, createCheckPhone } from './check-contact.ts';
import type { createEstimate } from './estimate.ts';
import type { createFindBuyers, createMapLead } from './one-to-one.ts';
import type { createCheckText, createLookUpZip } from './service-checks.ts';
import type { ClickTracker, PrefillCheck } from './services.ts';

/** What a visit looks up before its lead is posted. Answers are recorded with the given lead. */
export type LookUps = {
  readonly lookUpZip: ReturnType<typeof createLookUpZip>;
  readonly checkPhone: ReturnType<typeof createCheckPhone>;
  readonly checkEmail: ReturnType<typeof createCheckEmail>;
  readonly checkText: ReturnType<typeof createCheckText>;
  readonly mapLead: ReturnType<typeof createMapLead>;
  readonly findBuyers: ReturnType<typeof createFindBuyers>;
  readonly estimate: ReturnType<typeof createEstimate>;
  readonly checkPrefill: PrefillCheck;
  /** Present only if our server registers clicks. */
  readonly trackClick?: ClickTracker | undefined;
};
