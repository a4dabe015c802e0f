import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { leadFields, leadProsperTexts } from '../ingest-fields.ts';
import { filledText, reply, type StandIn, takes } from '../service.ts';

const { automationPath } = credentials;
const schema = v.strictObject({ ...leadFields, ...leadProsperTexts, lead_id: filledText });

/** The stand-in for an automation webhook (Zapier, Make), which receives the whole lead as a form. */
export const standIns: readonly StandIn[] = [
  {
    name: 'automation',
    settings: (url) => ({ AUTOMATION_WEBHOOK_URL: url + automationPath }),
    failureBodies: {
      '429': { status: 'error', errors: ['throttled'] },
      '410': { status: 'error' },
    },
    routes: {
      [`POST ${automationPath}`]: takes(
        'form',
        schema,
        (value, { effect }) => {
          const lead = value as Record<string, string> & { lead_id: string };
          effect({ keys: [lead.lead_id], detail: lead, recognise: false });
          const id = randomUUID();
          const body = { status: 'success', id, request_id: id, attempt: randomUUID() };
          return reply(body, lead.lead_id);
        },
        (errors) => ({ status: 400, body: { status: 'error', errors } }),
      ),
    },
  },
];
