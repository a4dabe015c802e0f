/** Routes for the people who may use the console, their sessions and their passkeys. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { roles } from '../../../model/messages/console/people.ts';
import { oneOf, reason, textOf, uuid } from '../../../model/messages/console/requests.ts';
import * as people from '../../people/index.ts';
import { ownOrigin, partyOf } from './access.ts';
import { type Area, admin, viewer } from './route.ts';

const ofSession = Type.Object({ session: uuid });
const invitation = Type.Object({ email: textOf(320), role: oneOf(roles) });
const revocation = Type.Object({ email: textOf(320), reason });
const newPasskey = Type.Object({
  name: textOf(60),
  response: Type.Unsafe<RegistrationResponseJSON>({ type: 'object' }),
});

export const peopleArea: Area = ({ pool, settings }) => {
  const { companyName } = settings.site;
  const invited = (request: FastifyRequest, { person, secret, expiresAt }: people.Invitation) => ({
    person,
    link: people.signInLink(request.server.consoleUrl ?? ownOrigin(request), secret),
    expiresAt: expiresAt.toISOString(),
  });

  return {
    'GET /api/people': admin({}, () => people.listPeople(pool)),

    'POST /api/people': admin({ body: invitation }, async (request) => {
      const given = { ...request.body, actor: request.operator.email };
      return invited(request, await people.invite(pool, given));
    }),

    'POST /api/people/revoke': admin({ body: revocation }, async ({ body, operator }) => {
      await people.revokePerson(pool, body.email, { ...body, actor: operator.email });
      return {};
    }),

    'GET /api/people/sessions': admin({}, ({ session }) =>
      people.listSessions(pool, { operatorId: null, ownSessionId: session.id }),
    ),

    'GET /api/sessions': viewer({}, ({ operator, session }) =>
      people.listSessions(pool, { operatorId: operator.id, ownSessionId: session.id }),
    ),

    'POST /api/sessions/:session/revoke': viewer(
      { params: ofSession },
      async ({ params: { session }, operator }, reply) => {
        await people.endOneSession(pool, session, operator);
        return reply.code(204).send();
      },
    ),

    'GET /api/passkeys': viewer({}, ({ operator }) => people.listPasskeys(pool, operator.id)),

    'POST /api/passkeys/options': viewer({}, (request) =>
      people.offerRegistration(pool, partyOf(request, companyName), request.operator),
    ),

    'POST /api/passkeys': viewer({ body: newPasskey }, async (request, reply) => {
      const given = { ...request.body, person: request.operator };
      await people.register(pool, partyOf(request, companyName), given);
      return reply.code(204).send();
    }),

    'POST /api/passkeys/remove': viewer(
      { body: Type.Object({ id: textOf(2_000) }) },
      async ({ body, operator }, reply) => {
        await people.removePasskey(pool, operator, body.id);
        return reply.code(204).send();
      },
    ),
  };
};
