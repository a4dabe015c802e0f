import { isPhoneNumber, phoneDigits } from '../../model/fields/phone-format.ts';
import { revokesConsent } from '../../model/rules/revocation.ts';
import { inTransaction } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { People } from './person.ts';
import { suppressPerson } from './suppress.ts';

type Message = Readonly<Record<'from' | 'text' | 'optOutType', string>>;

export type TakeMessage = ReturnType<typeof createTakeMessage>;

/** Returns a function that suppresses the sender of a message if the message revokes consent. */
export function createTakeMessage({ pool, personKey, settings }: People, wake: () => void) {
  return async ({ from, text, optOutType }: Message): Promise<void> => {
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
