/** Passkeys (WebAuthn), with which people sign in by their own devices. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type pg from 'pg';
import type { OwnPasskey } from '../../model/messages/console/people.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { isPassingError } from '../platform/database/database-error.ts';
import { notFound, refused } from '../platform/operator-error.ts';
import { isoTime } from '../platform/time-format.ts';
import { addAuditEntry } from './audit.ts';
import { consumeSecret, makeSecret } from './secrets.ts';
import { openSession, type SignInBrowser } from './sign-in.ts';

/** The relying party of WebAuthn, which is the site where a passkey is valid. */
export type RelyingParty = {
  readonly name: string;
  readonly origin: string;
};

const CHALLENGE_MINUTES = 5;

type Person = { readonly id: string; readonly email: string };

/** Returns whether passkeys work for an origin. Browsers require a host name, not an IP address. */
export function canHavePasskeys(origin: string): boolean {
  const { hostname, protocol } = new URL(origin);
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith('[');
  return isName && (protocol === 'https:' || hostname === 'localhost');
}

/** Returns the options for a browser that makes a passkey of this person. */
export async function offerRegistration(db: Queryable, party: RelyingParty, person: Person) {
  const { rows } = await db.query<{ id: string; transports: string[] }>(
    'select id, transports from passkeys where operator_id = $1',
    [person.id],
  );
  const { id: operatorId } = person;
  const made = { kind: 'registration', minutes: CHALLENGE_MINUTES, operatorId } as const;
  const { secret } = await makeSecret(db, made);
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: hostOf(party),
    userName: person.email,
    userID: new TextEncoder().encode(person.id),
    challenge: bytesOf(secret),
    excludeCredentials: rows,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Stores a passkey that a browser made. @throws OperatorError if the browser's proof is invalid */
export async function register(
  pool: pg.Pool,
  party: RelyingParty,
  { person, response, name }: { person: Person; response: RegistrationResponseJSON; name: string },
): Promise<void> {
  const { registrationInfo } = await verified(() =>
    verifyRegistrationResponse({
      response,
      expectedOrigin: party.origin,
      expectedRPID: hostOf(party),
      expectedChallenge: async (challenge) =>
        (await consumeSecret(pool, 'registration', challenge))?.operatorId === person.id,
    }),
  );
  if (!registrationInfo) throw refused('The passkey could not be verified.');
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `insert into passkeys (id, operator_id, public_key, counter, transports, name)
       values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing`,
      [
        ...[id, person.id, Buffer.from(publicKey).toString('base64url'), counter, transports],
        name.trim() || 'Passkey',
      ],
    );
    if (!rowCount) throw refused('This passkey is known already.');
    const { email } = person;
    await addAuditEntry(client, { actor: email, action: 'passkey.added', subject: email });
  });
}

/** Returns the options for a browser that asks the person for a passkey. */
export async function offerSignIn(db: Queryable, party: RelyingParty) {
  const { secret } = await makeSecret(db, { kind: 'passkey', minutes: CHALLENGE_MINUTES });
  return generateAuthenticationOptions({
    rpID: hostOf(party),
    userVerification: 'required',
    challenge: bytesOf(secret),
  });
}

/** Signs in with a passkey. Returns the new session's secret. @throws OperatorError */
export async function signInByPasskey(
  pool: pg.Pool,
  party: RelyingParty,
  response: AuthenticationResponseJSON,
  browser: SignInBrowser,
): Promise<string> {
  type Row = { operator_id: string; public_key: string; counter: string; transports: string[] };
  const { rows } = await pool.query<Row>(
    'select operator_id, public_key, counter, transports from passkeys where id = $1',
    [response.id],
  );
  const [key] = rows;
  if (key === undefined) throw refused('This passkey is not known here. Sign in by a link.');
  const found = await verified(() =>
    verifyAuthenticationResponse({
      response,
      expectedOrigin: party.origin,
      expectedRPID: hostOf(party),
      expectedChallenge: async (challenge) =>
        (await consumeSecret(pool, 'passkey', challenge)) !== undefined,
      credential: {
        id: response.id,
        publicKey: bytesOf(key.public_key),
        counter: Number(key.counter),
        transports: key.transports,
      },
    }),
  );
  if (!found.verified) throw refused('The passkey could not be verified.');
  return inTransaction(pool, async (client) => {
    await client.query('update passkeys set counter = $2, used_at = now() where id = $1', [
      response.id,
      found.authenticationInfo.newCounter,
    ]);
    return openSession(client, { operatorId: key.operator_id, way: 'passkey' }, browser);
  });
}

export async function listPasskeys(db: Queryable, operatorId: string): Promise<OwnPasskey[]> {
  const { rows } = await db.query<OwnPasskey>(
    `select id, name, ${isoTime('created_at')} as "createdAt", ${isoTime('used_at')} as "usedAt"
     from passkeys where operator_id = $1 order by created_at`,
    [operatorId],
  );
  return rows;
}

/** Removes a person's passkey. @throws OperatorError if the person has no such passkey */
export async function removePasskey(pool: pg.Pool, person: Person, id: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'delete from passkeys where id = $1 and operator_id = $2',
      [id, person.id],
    );
    if (!rowCount) throw notFound('You have no such passkey.');
    const { email } = person;
    await addAuditEntry(client, { actor: email, action: 'passkey.removed', subject: email });
  });
}

/** Turns the library's errors about invalid proofs into an OperatorError. */
async function verified<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch (error) {
    if (isPassingError(error)) throw error;
    throw refused('The passkey could not be verified.');
  }
}

function hostOf({ origin }: RelyingParty): string {
  return new URL(origin).hostname;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}
