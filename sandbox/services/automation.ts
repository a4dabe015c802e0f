import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { leadFields, leadProsperTexts } from '../lead-fields.ts';
import { act, judge, refuse, type SandboxContext, type Service, type StandIn } from '../service.ts';
import { readForm } from '../strict-body.ts';

/**
 * Imitates an automation webhook (Zapier, Make): `POST {path}`, the whole lead form-encoded; 200
 * means accepted. It recognises no duplicates: every request counts, and our `lead_id` is required.
 * An ingest credential is a violation, because it belongs to another third party.
 */
function automationService(context: SandboxContext): Service {
  const schema = v.strictObject({
    ...leadFields,
    ...leadProsperTexts,
    lead_id: v.pipe(v.string(), v.nonEmpty('empty')),
  });

  const post = judge(
    (exchange) => readForm(schema, exchange),
    (value) => {
      const lead = value as Record<string, string> & { lead_id: string };
      return act(() => {
        const keys = [lead.lead_id] as const;
        context.effect({ service: 'automation', keys, detail: lead, recognise: false });
        const id = randomUUID();
        const body = { status: 'success', id, request_id: id, attempt: randomUUID() };
        return { effect: true, answer: { status: 200, body } };
      }, lead.lead_id);
    },
    (errors) => ({ status: 400, body: { status: 'error', errors } }),
  );

  return {
    name: 'automation',
    title: 'Automation webhook',
    settings: (url) => ({ AUTOMATION_WEBHOOK_URL: url + context.credentials.automationPath }),
    failureBodies: {
      '429': { status: 'error', errors: ['throttled'] },
      '410': { status: 'error' },
    },
    routes: [
      {
        method: 'POST',
        path: '/hooks/catch/:account/:hook',
        handle: (exchange) =>
          exchange.path === context.credentials.automationPath
            ? post(exchange)
            : refuse('webhook path: not known', { status: 404, body: { status: 'error' } }),
      },
    ],
  };
}

export const standIns: readonly StandIn[] = [automationService];
