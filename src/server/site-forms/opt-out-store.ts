import type { Language } from '../../domain/language.ts';
import type { Visitor } from '../../intake/visitor.ts';

/** A do-not-sell request. */
export type OptOutRequest = {
  readonly name: string;
  /** Normalised; one of the two may be empty. */
  readonly email: string;
  readonly phone: string;
  /** Two capital letters, or empty. */
  readonly state: string;
  readonly language: Language;
  /** The `personKey` of e-mail address and phone number. */
  readonly keys: readonly { readonly kind: 'email' | 'phone'; readonly key: string }[];
  readonly visitor: Pick<Visitor, 'secGpc' | 'address' | 'networkKey' | 'userAgent' | 'page'>;
};

/** A recorded do-not-sell request. */
export type RecordedOptOut = {
  /** The reference that the person gets. */
  readonly reference: string;
  readonly at: Date;
  /** `waiting`: the address has sent too many requests, so an operator must confirm this one. */
  readonly outcome: 'honoured' | 'waiting';
};

/** The limits of do-not-sell requests. */
export type OptOutLimits = {
  /** Requests per address and hour that are honoured at once; 0: any number. */
  readonly perAddressPerHour: number;
  /** Requests per hour, from all addresses, beyond which the operators are alerted; 0: never. */
  readonly alertPerHour: number;
};

/** Records do-not-sell requests and honours them in the same transaction. */
export type OptOutStore = {
  /** @throws StoreUnavailableError */
  record(request: OptOutRequest): Promise<RecordedOptOut>;
};
