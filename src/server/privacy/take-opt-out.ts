/** The use case behind the do-not-sell request (docs/specification.md#do-not-sell). */

import { normaliseField } from '../../model/fields/asked-fields.ts';
import type { Language } from '../../model/fields/language.ts';
import { type OptOutField, optOutErrors } from '../../model/fields/opt-out-form.ts';
import { phoneDigits } from '../../model/fields/phone-format.ts';
import type { Visitor } from '../../model/lead/context.ts';
import type { PersonKey, PersonKeyKind } from '../../model/lead/person-key.ts';

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

export type TakeOptOut = ReturnType<typeof createTakeOptOut>;

/** Creates the use case that records do-not-sell requests. */
export function createTakeOptOut(store: OptOutStore, personKey: PersonKey) {
  /**
   * Records a do-not-sell request, or returns its wrong fields. Unless the sender's IP address has sent too many,
   * e-mail address and phone number are on the suppression list when it returns. The sender needs no proof of
   * identity: a request can be reversed, and the answer reveals nothing about any lead.
   *
   * @throws StoreUnavailableError if it could not be recorded
   */
  return async (
    posted: Readonly<Record<string, string>>,
    language: Language,
    visitor: Visitor,
  ): Promise<
    { readonly wrong: readonly OptOutField[] } | ({ readonly wrong: [] } & RecordedOptOut)
  > => {
    const wrong = optOutErrors(posted);
    if (wrong.length > 0) return { wrong };
    const email = normaliseField('email', posted.email ?? '');
    const phone = phoneDigits(posted.phone ?? '');
    const key = (kind: PersonKeyKind, value: string) =>
      value === '' ? [] : [{ kind, key: personKey(kind, value) }];
    const recorded = await store.record({
      name: normaliseField('first_name', posted.name ?? ''),
      email,
      phone,
      state: normaliseField('state', posted.state ?? ''),
      language,
      keys: [...key('email', email), ...key('phone', phone)],
      visitor,
    });
    return { wrong: [], ...recorded };
  };
}
