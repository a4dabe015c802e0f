import type { Click } from '../../model/messages/click.ts';
import type { createCheckEmail, createCheckPhone } from './check-contact.ts';
import type { createEstimate } from './estimate.ts';
import type { createFindBuyers, createMapLead } from './one-to-one.ts';
import type { createCheckText, createLookUpZip } from './service-checks.ts';

/** Returns whether to prefill the contact fields of an affiliate's visitors. Never throws. */
export type PrefillCheck = (affid: string) => Promise<boolean>;

/** Registers a click with the click tracker and returns its transaction id (32 hex digits) or ''. Never throws. */
export type ClickTracker = (click: Click) => Promise<string>;

/** The checks of a visit before its lead is posted. Answers are recorded with the given lead. */
export type Checks = {
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
