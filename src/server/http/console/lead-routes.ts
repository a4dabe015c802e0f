/** One lead: its page, its opening, the bytes of its deliveries, and actions on it. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { leadId, textOf, uuid } from '../../../model/messages/console/requests.ts';
import { makePack } from '../../evidence/pack.ts';
import {
  type Act,
  type PreparedAct,
  prepareAction,
  prepareResend,
} from '../../insight/lead-page/actions.ts';
import { readAttemptBytes, readLead } from '../../insight/lead-page/read-lead.ts';
import { admin, type ConsoleRoutes, operator, viewer } from './context.ts';
import { perPerson } from './limits.ts';

const params = Type.Object({ id: leadId });
/** A reason of a list, or words. */
const reason = Type.String({ minLength: 3, maxLength: 300, pattern: '\\S' });
const count = Type.Integer({ minimum: 1, maximum: 10_000 });
const bodies = {
  reason: Type.Object({ reason }),
  review: Type.Object({ reason, revision: count }),
  bytes: Type.Object({ reason, deliveryId: uuid, attempt: count }),
  resend: Type.Object({ reason, deliveryId: uuid, force: Type.Boolean() }),
  evidence: Type.Object({ reason, recipient: Type.Optional(textOf(60)) }),
};
const PACKS_PER_MINUTE = 20;

type LeadRequest = FastifyRequest & {
  readonly params: Static<typeof params>;
  readonly body: Static<typeof bodies.reason>;
};

/** The routes of a lead's page. */
export const leadRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, settings, personKey } = context;
  const from = { pool, settings, people: { pool, personKey } };

  app.get('/api/leads/:id', viewer({ params }), (request) =>
    readLead(from, idOf(request), { role: request.operator.role, isOpened: false }),
  );

  app.post('/api/leads/:id/open', operator({ params, body: bodies.reason }), async (request) => {
    const { role } = request.operator;
    const answer = await readLead(from, idOf(request), { role, isOpened: true });
    // If the log cannot be written, nothing is answered.
    await audit(request, 'lead.opened');
    return answer;
  });

  app.post('/api/leads/:id/bytes', operator({ params, body: bodies.bytes }), async (request) => {
    const { deliveryId, attempt } = request.body;
    const bytes = await readAttemptBytes(from, idOf(request), { deliveryId, attempt });
    await audit(request, 'lead.bytes_opened', { delivery: deliveryId, attempt });
    return bytes;
  });

  const review = operator({ params, body: bodies.review });
  for (const [action, name] of [
    ['release', 'lead.released'],
    ['dismiss', 'lead.dismissed'],
  ] as const) {
    app.post(`/api/leads/:id/${action}`, review, async (request) => {
      const { revision } = request.body;
      const by = { ...actOf(request), revision };
      return run(request, await prepareAction(from, idOf(request), action, by), name, { revision });
    });
  }

  for (const [action, least, name] of [
    ['suppress', operator, 'lead.suppressed'],
    // The erasure writes the audit log itself.
    ['erase', admin, undefined],
  ] as const) {
    const route = least({ params, body: bodies.reason });
    app.post(`/api/leads/:id/${action}`, route, async (request) =>
      run(request, await prepareAction(from, idOf(request), action, actOf(request)), name),
    );
  }

  app.post('/api/leads/:id/resend', operator({ params, body: bodies.resend }), async (request) => {
    const act = await prepareResend(from, idOf(request), request.body, actOf(request));
    const { destination } = act;
    return run(request, act, 'lead.resent', { destination, force: request.body.force });
  });

  app.post(
    '/api/leads/:id/evidence',
    operator({ params, body: bodies.evidence }, perPerson(PACKS_PER_MINUTE)),
    async (request, reply) => {
      const { recipient } = request.body;
      const { name, bytes, problems } = await makePack(from, idOf(request), recipient);
      for (const problem of problems) request.log.warn(problem);
      // If the log cannot be written, nothing is answered.
      await audit(request, 'lead.evidence_made', { recipient: recipient ?? null });
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .type('application/zip')
        .send(Buffer.from(bytes));
    },
  );

  function audit(request: LeadRequest, action: string, detail = {}): Promise<void> {
    const { reason: why } = request.body;
    return context.audit(request, { action, subject: idOf(request), reason: why, detail });
  }

  /** Writes the audit log, then acts. Without `action`, the act writes it. */
  async function run(request: LeadRequest, act: PreparedAct, action?: string, detail = {}) {
    if (action !== undefined) await audit(request, action, detail);
    const answer = await act.run();
    context.wake();
    return answer;
  }
};

function idOf({ params: { id } }: { params: Static<typeof params> }): string {
  return id.toLowerCase();
}

function actOf({ operator: { email, role }, body }: LeadRequest): Act {
  return { actor: email, role, reason: body.reason.trim() };
}
