import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { leadFields, leadProsperTexts } from '../lead-fields.ts';
import {
  act,
  type Exchange,
  refuse,
  type SandboxContext,
  type Service,
  type Verdict,
} from '../service.ts';
import { readForm } from '../strict-body.ts';

/**
 * Automation webhook (Zapier, Make): `POST {path}`, the whole lead form-encoded; 200 means accepted. It
 * recognises no duplicates: every request counts, and our `lead_id` is required. An ingest credential is a
 * violation, because it belongs to another third party.
 */
export function automationService(context: SandboxContext): Service {
  const extra = Object.fromEntries(
    context.extraLeadFields.map((name) => [name, v.optional(v.string())]),
  );
  const schema = v.strictObject({
    ...leadFields,
    ...leadProsperTexts,
    ...extra,
    lead_id: v.pipe(v.string(), v.nonEmpty('empty')),
  });

  function judge(exchange: Exchange): Verdict {
    if (exchange.path !== context.credentials.automationPath) {
      return refuse(['webhook path: not known'], { status: 404, body: { status: 'error' } });
    }
    const read = readForm(schema, exchange);
    if (!read.ok) {
      return refuse(read.violations, {
        status: 400,
        body: { status: 'error', errors: read.violations },
      });
    }
    const lead = read.value as Record<string, string> & { lead_id: string };
    return act(() => {
      context.effects.apply({
        service: 'automation',
        keys: [lead.lead_id],
        detail: lead,
        at: context.now().toISOString(),
        recognise: false,
      });
      const id = randomUUID();
      return {
        effect: true,
        answer: {
          status: 200,
          body: { status: 'success', id, request_id: id, attempt: randomUUID() },
        },
      };
    }, lead.lead_id);
  }

  return {
    name: 'automation',
    title: 'Automation webhook',
    failureBodies: {
      '429': { status: 'error', errors: ['throttled'] },
      '410': { status: 'error' },
    },
    routes: [{ method: 'POST', path: '/hooks/catch/:account/:hook', handle: judge }],
  };
}
