/** People, their sessions and passkeys. Admins manage everybody, and everybody their own. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { roles } from '../../../model/messages/console/people.ts';
import { oneOf, reason, textOf, uuid } from '../../../model/messages/console/requests.ts';
import { listPasskeys, offerRegistration, register, removePasskey } from '../../people/passkeys.ts';
import {
  changeRole,
  type Invitation,
  invite,
  listPeople,
  renewLink,
  revokePerson,
  signInLink,
} from '../../people/people.ts';
import { endOneSession, listSessions } from '../../people/sessions.ts';
import { admin, type ConsoleRoutes, viewer } from './context.ts';
import { ownOrigin } from './guard.ts';
import { partyOf } from './sign-in-routes.ts';

const role = oneOf(roles);
const ofPerson = Type.Object({ person: uuid });
const ofSession = Type.Object({ session: uuid });
const bodies = {
  invite: Type.Object({ email: textOf(320), role }),
  role: Type.Object({ role, reason }),
  revoke: Type.Object({ reason }),
  passkey: Type.Object({
    name: textOf(60),
    response: Type.Unsafe<RegistrationResponseJSON>({ type: 'object' }),
  }),
  removedPasskey: Type.Object({ id: textOf(2_000) }),
};

/** The routes of people, sessions and passkeys. */
export const peopleRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, settings } = context;

  const invited = (request: FastifyRequest, { person, secret, expiresAt }: Invitation) => ({
    person,
    link: signInLink(settings.console?.url ?? ownOrigin(request, undefined), secret),
    expiresAt: expiresAt.toISOString(),
  });

  app.get('/api/people', admin(), () => listPeople(pool));

  app.post('/api/people', admin({ body: bodies.invite }), async (request) =>
    invited(request, await invite(pool, { ...request.body, actor: request.operator.email })),
  );

  app.post('/api/people/:person/link', admin({ params: ofPerson }), async (request) => {
    const { params, operator } = request;
    return invited(request, await renewLink(pool, { id: params.person, actor: operator.email }));
  });

  app.post(
    '/api/people/:person/role',
    admin({ params: ofPerson, body: bodies.role }),
    ({ params, body, operator }) =>
      changeRole(pool, { ...body, id: params.person, actor: operator.email }),
  );

  app.post(
    '/api/people/:person/revoke',
    admin({ params: ofPerson, body: bodies.revoke }),
    async ({ params, body, operator }) => {
      const by = { ...body, actor: operator.email };
      return (await revokePerson(pool, { id: params.person }, by)).person;
    },
  );

  app.get('/api/people/sessions', admin(), ({ session }) =>
    listSessions(pool, { operatorId: null, ownSessionId: session.id }),
  );

  app.get('/api/sessions', viewer(), ({ operator, session }) =>
    listSessions(pool, { operatorId: operator.id, ownSessionId: session.id }),
  );

  app.post(
    '/api/sessions/:session/revoke',
    viewer({ params: ofSession }),
    async ({ params, operator }, reply) => {
      await endOneSession(pool, params.session, operator);
      return reply.code(204).send();
    },
  );

  app.get('/api/passkeys', viewer(), ({ operator }) => listPasskeys(pool, operator.id));

  app.post('/api/passkeys/options', viewer(), (request) =>
    offerRegistration(pool, partyOf(request, settings), request.operator),
  );

  app.post('/api/passkeys', viewer({ body: bodies.passkey }), async (request, reply) => {
    const given = { ...request.body, person: request.operator };
    await register(pool, partyOf(request, settings), given);
    return reply.code(204).send();
  });

  app.post(
    '/api/passkeys/remove',
    viewer({ body: bodies.removedPasskey }),
    async ({ body, operator }, reply) => {
      await removePasskey(pool, operator, body.id);
      return reply.code(204).send();
    },
  );
};
