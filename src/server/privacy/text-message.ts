import { isPhoneNumber, phoneDigits } from '../../model/fields/phone-format.ts';
import { revokesConsent } from '../../model/rules/revocation.ts';
import { inTransaction } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { People } from './person.ts';
import { suppressPerson } from './suppress.ts';

/** A text message that a person sent to one of the operator's numbers. */
type TextMessage = {
  readonly from: string;
  readonly text: string;
  /** Twilio's own judgement: `STOP`, `START`, `HELP`, or empty. */
  readonly optOutType: string;
};

export type TakeMessage = ReturnType<typeof createTakeMessage>;

/** Returns a function that suppresses the sender of a message if the message revokes consent. */
export function createTakeMessage({ pool, personKey, settings }: People, wake: () => void) {
  return async ({ from, text, optOutType }: TextMessage): Promise<void> => {
    const number = phoneDigits(from);
    if (!isPhoneNumber(number) || !revokesConsent(text, optOutType)) return;
    const keys = [{ kind: 'phone', key: personKey('phone', number) }] as const;
    const by = { actor: 'a text message', source: 'sms' } as const;
    await storeErrors(() =>
      inTransaction(pool, (client) => suppressPerson(client, keys, by, settings)),
    );
    wake();
  };
}
