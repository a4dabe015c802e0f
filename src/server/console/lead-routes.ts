/** One lead: its page, its opening, the bytes of its deliveries, and actions on it. */
import type { FastifyRequest } from 'fastify';
import type {
  AttemptBytes,
  LeadAction,
  LeadActionAnswer,
  LeadAnswer,
  SpecificationSection,
} from '../../contract/console/leads.ts';
import { makePack } from '../operators/evidence/pack.ts';
import {
  type Act,
  type PreparedAct,
  prepareAction,
  prepareResend,
} from '../operators/lead-page/act.ts';
import { readAttemptBytes, readLead } from '../operators/lead-page/read-lead.ts';
import { specificationSection } from '../operators/specification.ts';
import { leadIdSchema, objectOf, textOf } from '../routes/route-options.ts';
import type { ConsoleRoutes } from './context.ts';
import { perPerson } from './limits.ts';

const params = objectOf({ id: leadIdSchema });
/** A reason of a list, or words. */
const reason = { ...textOf(300), minLength: 3, pattern: '\\S' };
const uuid = { type: 'string', format: 'uuid' };
const attempt = { type: 'integer', minimum: 1, maximum: 10_000 };
const revision = { type: 'integer', minimum: 1, maximum: 10_000 };
const PACKS_PER_MINUTE = 20;
const operator = { role: 'operator' } as const;

type Bodies = { readonly reason: string };

/** The routes of a lead's page. */
export const leadRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, db, settings, personKey } = context;
  const from = { pool, db, settings, people: { pool, personKey } };

  app.get('/api/leads/:id', { config: { role: 'viewer' }, schema: { params } }, (request) =>
    readLead(from, idOf(request), { role: request.operator.role, isOpened: false }),
  );

  app.post(
    '/api/leads/:id/open',
    { config: operator, schema: { params, body: objectOf({ reason }) } },
    async (request): Promise<LeadAnswer> => {
      const answer = await readLead(from, idOf(request), {
        role: request.operator.role,
        isOpened: true,
      });
      // If the log cannot be written, nothing is answered.
      await audit(request, 'lead.opened');
      return answer;
    },
  );

  app.post(
    '/api/leads/:id/bytes',
    {
      config: operator,
      schema: { params, body: objectOf({ reason, deliveryId: uuid, attempt }) },
    },
    async (request): Promise<AttemptBytes> => {
      const asked = request.body as { deliveryId: string; attempt: number };
      const bytes = await readAttemptBytes(from, idOf(request), asked);
      await audit(request, 'lead.bytes_opened', {
        delivery: asked.deliveryId,
        attempt: asked.attempt,
      });
      return bytes;
    },
  );

  for (const [action, name] of [
    ['release', 'lead.released'],
    ['dismiss', 'lead.dismissed'],
  ] as const) {
    app.post(
      `/api/leads/:id/${action}`,
      { config: operator, schema: { params, body: objectOf({ reason, revision }) } },
      async (request) => {
        const reviewed = { revision: (request.body as { revision: number }).revision };
        const given = { ...actOf(request), ...reviewed };
        const act = await prepareAction(from, idOf(request), action, given);
        return run(request, act, name, reviewed);
      },
    );
  }

  app.post(
    '/api/leads/:id/resend',
    {
      config: operator,
      schema: {
        params,
        body: objectOf({ reason, deliveryId: uuid, force: { type: 'boolean' } }),
      },
    },
    async (request) => {
      const given = request.body as { deliveryId: string; force: boolean };
      const act = await prepareResend(from, idOf(request), given, actOf(request));
      const { destination } = act;
      return run(request, act, 'lead.resent', { destination, force: given.force });
    },
  );

  app.post(
    '/api/leads/:id/evidence',
    {
      config: { ...operator, rateLimit: perPerson(PACKS_PER_MINUTE) },
      schema: { params, body: objectOf({ reason, recipient: textOf(60) }, ['reason']) },
    },
    async (request, reply) => {
      const { recipient } = request.body as { recipient?: string };
      const { name, bytes, problems } = await makePack(from, idOf(request), recipient);
      for (const problem of problems) request.log.warn(problem);
      // If the log cannot be written, nothing is answered.
      await audit(request, 'lead.evidence_made', { recipient: recipient ?? null });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${name}"`)
        .type('application/zip')
        .send(Buffer.from(bytes));
    },
  );

  const actions: readonly (readonly [LeadAction['action'], 'operator' | 'admin', string?])[] = [
    ['suppress', 'operator', 'lead.suppressed'],
    ['erase', 'admin'],
  ];
  for (const [action, role, name] of actions) {
    app.post(
      `/api/leads/:id/${action}`,
      { config: { role }, schema: { params, body: objectOf({ reason }) } },
      async (request) =>
        run(request, await prepareAction(from, idOf(request), action, actOf(request)), name),
    );
  }

  app.get(
    '/api/specification/:section',
    {
      config: { role: 'viewer' },
      schema: { params: objectOf({ section: { ...textOf(80), pattern: '^[a-z0-9-]+$' } }) },
    },
    (request): Promise<SpecificationSection> =>
      specificationSection((request.params as { section: string }).section),
  );

  function audit(request: FastifyRequest, action: string, detail = {}): Promise<void> {
    const { reason: why } = request.body as Bodies;
    return context.audit(request, { action, subject: idOf(request), reason: why, detail });
  }

  /** Writes the audit log, then acts. Without `action`, the act writes it. */
  async function run(
    request: FastifyRequest,
    act: PreparedAct,
    action?: string,
    detail = {},
  ): Promise<LeadActionAnswer> {
    if (action !== undefined) await audit(request, action, detail);
    const answer = await act.run();
    context.wake();
    return answer;
  }
};

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id.toLowerCase();
}

function actOf({ operator: { email, role }, body }: FastifyRequest): Act {
  return { actor: email, role, reason: (body as Bodies).reason.trim() };
}
