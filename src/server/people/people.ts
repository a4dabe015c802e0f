/** Manages the people who use the console: invitations, roles and revocation. */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { OperatorPerson, Role } from '../../model/messages/console/people.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { notFound, refused, usage } from '../platform/operator-error.ts';
import { isoTime } from '../platform/time-format.ts';
import { addAuditEntry } from './audit.ts';
import { makeSecret } from './secrets.ts';
import { revokeSessions } from './sessions.ts';

/** The first admin, who is created at the first start and invites the others. */
export const FIRST_ADMIN = 'admin@localhost';

/** The actor in entries of the audit log about actions that the server performed at its start. */
const THE_START = 'the start of the server';
const START_LINK_MINUTES = 15;
const INVITATION_MINUTES = 72 * 60;
/** Matches e-mail addresses that contain no special characters of terminals, HTML or CSV. */
const EMAIL = /^[a-z0-9][a-z0-9.!#$%*/?^_{|}~+-]{0,63}@[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** A one-time sign-in link. The secret in the link is shown only once. */
export type Invitation = {
  readonly person: OperatorPerson;
  readonly secret: string;
  readonly expiresAt: Date;
};

const PERSON = `select o.id, o.email, o.role, o.disabled_at is not null as "isDisabled",
  ${isoTime('o.seen_at')} as "lastSeenAt",
  (select count(*)::int from passkeys p where p.operator_id = o.id) as passkeys from operators o`;

/** Returns a sign-in link. The secret is in the URL's fragment, which browsers do not send. */
export function signInLink(origin: string, secret: string): string {
  return `${origin}/sign-in#${secret}`;
}

export async function listPeople(db: Queryable): Promise<OperatorPerson[]> {
  return (await db.query<OperatorPerson>(`${PERSON} order by o.email limit 1000`)).rows;
}

/** Invites a person by a sign-in link. An earlier link becomes invalid. @throws OperatorError */
export function invite(
  pool: pg.Pool,
  { email: address, role, actor }: { email: string; role: Role; actor: string },
): Promise<Invitation> {
  const email = emailOf(address);
  if (email === actor) throw refused('You cannot change your own role.');
  return inTransaction(pool, async (client) => {
    await client.query(
      `insert into operators (id, email, role, invited_by) values ($1, $2, $3, $4)
       on conflict (email) do update set role = excluded.role, disabled_at = null`,
      [uuid(), email, role, actor],
    );
    const entry = { actor, action: 'person.invited', subject: email, detail: { role } };
    await addAuditEntry(client, entry);
    const person = await personBy(client, 'email', email);
    return makeLink(client, person, INVITATION_MINUTES, actor);
  });
}

/**
 * Revokes a person's access, and returns the number of ended sessions.
 * @throws OperatorError if the actor is the same person
 */
export function revokePerson(
  pool: pg.Pool,
  address: string,
  { actor, reason = '' }: { readonly actor: string; readonly reason?: string },
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { id, email } = await personBy(client, 'email', emailOf(address));
    if (email === actor) throw refused('You cannot shut yourself out.');
    const disable = `update operators set disabled_at = coalesce(disabled_at, now()) where id = $1`;
    await client.query(disable, [id]);
    await expireLinks(client, id);
    await client.query('delete from passkeys where operator_id = $1', [id]);
    const sessions = await revokeSessions(client, id);
    const entry = { actor, action: 'person.revoked', subject: email, reason };
    await addAuditEntry(client, { ...entry, detail: { sessions } });
    return sessions;
  });
}

/** Makes the first admin's sign-in link. Returns undefined if the first admin was revoked. */
export function makeStartLink(pool: pg.Pool): Promise<string | undefined> {
  return inTransaction(pool, async (client) => {
    await client.query(
      `insert into operators (id, email, role, invited_by)
       select $1, $2, 'admin', '${THE_START}' where not exists (select 1 from operators)
       on conflict (email) do nothing`,
      [uuid(), FIRST_ADMIN],
    );
    const { rows } = await client.query<OperatorPerson>(`${PERSON} where o.email = $1`, [
      FIRST_ADMIN,
    ]);
    const [person] = rows;
    if (!person || person.isDisabled) return undefined;
    return (await makeLink(client, person, START_LINK_MINUTES, THE_START)).secret;
  });
}

/** Returns the person with this id or e-mail address. @throws OperatorError if there is none */
export async function personBy(
  db: Queryable,
  column: 'id' | 'email',
  value: string,
): Promise<OperatorPerson> {
  const { rows } = await db.query<OperatorPerson>(`${PERSON} where o.${column} = $1`, [value]);
  if (rows[0] === undefined) throw notFound('There is no such person.');
  return rows[0];
}

async function makeLink(
  client: Queryable,
  person: OperatorPerson,
  minutes: number,
  madeBy: string,
): Promise<Invitation> {
  await expireLinks(client, person.id);
  const link = { kind: 'link', operatorId: person.id, minutes, detail: { madeBy } } as const;
  return { person, ...(await makeSecret(client, link)) };
}

async function expireLinks(client: Queryable, operatorId: string): Promise<void> {
  await client.query(
    `update sign_in_secrets set used_at = now() where operator_id = $1 and used_at is null`,
    [operatorId],
  );
}

/** Returns an e-mail address in its stored form. @throws OperatorError if it is malformed */
export function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (EMAIL.test(email)) return email;
  throw usage('This is not an e-mail address.');
}
