/** People, their sessions and passkeys. Admins manage everybody, and everybody their own. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import {
  type InviteAnswer,
  type OperatorPerson,
  type OperatorSession,
  type OwnPasskey,
  type Role,
  roles,
} from '../../contract/console/people.ts';
import {
  listPasskeys,
  offerRegistration,
  register,
  removePasskey,
} from '../operators/access/passkeys.ts';
import {
  changeRole,
  type Invitation,
  invite,
  listPeople,
  renewLink,
  revokePerson,
  signInLink,
} from '../operators/access/people.ts';
import { endOneSession, listSessions } from '../operators/access/sessions.ts';
import { objectOf, textOf } from '../routes/route-options.ts';
import type { ConsoleRoutes } from './context.ts';
import { ownOrigin } from './guard.ts';
import { partyOf } from './sign-in-routes.ts';

const uuidParams = (name: string) => objectOf({ [name]: { type: 'string', format: 'uuid' } });
const role = { type: 'string', enum: [...roles] };
const reason = { type: 'string', minLength: 1, maxLength: 500 };
const admin = { role: 'admin' } as const;
/** Everybody who is signed in. */
const own = { role: 'viewer' } as const;

/** The routes of people, sessions and passkeys. */
export const peopleRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, settings } = context;
  const actorOf = (request: FastifyRequest) => request.operator.email;
  const personOf = (request: FastifyRequest) => (request.params as { person: string }).person;

  const invited = (request: FastifyRequest, { person, secret, expiresAt }: Invitation) => ({
    person,
    link: signInLink(settings.console?.url ?? ownOrigin(request, undefined), secret),
    expiresAt: expiresAt.toISOString(),
  });

  app.get(
    '/api/people',
    { config: admin },
    async (): Promise<OperatorPerson[]> => listPeople(pool),
  );

  app.post(
    '/api/people',
    { config: admin, schema: { body: objectOf({ email: textOf(320), role }) } },
    async (request): Promise<InviteAnswer> => {
      const given = request.body as { email: string; role: Role };
      return invited(request, await invite(pool, { ...given, actor: actorOf(request) }));
    },
  );

  app.post(
    '/api/people/:person/link',
    { config: admin, schema: { params: uuidParams('person') } },
    async (request): Promise<InviteAnswer> =>
      invited(request, await renewLink(pool, { id: personOf(request), actor: actorOf(request) })),
  );

  app.post(
    '/api/people/:person/role',
    { config: admin, schema: { params: uuidParams('person'), body: objectOf({ role, reason }) } },
    async (request): Promise<OperatorPerson> => {
      const given = request.body as { role: Role; reason: string };
      return changeRole(pool, { ...given, id: personOf(request), actor: actorOf(request) });
    },
  );

  app.post(
    '/api/people/:person/revoke',
    { config: admin, schema: { params: uuidParams('person'), body: objectOf({ reason }) } },
    async (request): Promise<OperatorPerson> => {
      const given = request.body as { reason: string };
      const by = { ...given, actor: actorOf(request) };
      return (await revokePerson(pool, { id: personOf(request) }, by)).person;
    },
  );

  app.get(
    '/api/people/sessions',
    { config: admin },
    async (request): Promise<OperatorSession[]> =>
      listSessions(pool, { operatorId: null, ownSessionId: request.session.id }),
  );

  app.get(
    '/api/sessions',
    { config: own },
    async (request): Promise<OperatorSession[]> =>
      listSessions(pool, { operatorId: request.operator.id, ownSessionId: request.session.id }),
  );

  app.post(
    '/api/sessions/:session/revoke',
    { config: own, schema: { params: uuidParams('session') } },
    async (request, reply) => {
      const { session } = request.params as { session: string };
      await endOneSession(pool, session, request.operator);
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/passkeys',
    { config: own },
    async (request): Promise<OwnPasskey[]> => listPasskeys(pool, request.operator.id),
  );

  app.post('/api/passkeys/options', { config: own }, async (request) =>
    offerRegistration(pool, partyOf(request, settings), request.operator),
  );

  app.post(
    '/api/passkeys',
    {
      config: own,
      schema: { body: objectOf({ name: textOf(60), response: { type: 'object' } }) },
    },
    async (request, reply) => {
      const given = request.body as { name: string; response: RegistrationResponseJSON };
      await register(pool, partyOf(request, settings), { ...given, person: request.operator });
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/passkeys/remove',
    { config: own, schema: { body: objectOf({ id: textOf(2_000) }) } },
    async (request, reply) => {
      await removePasskey(pool, request.operator, (request.body as { id: string }).id);
      return reply.code(204).send();
    },
  );
};
