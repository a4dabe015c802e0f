/** `leads list`: prints a table or one JSON array. */
import type { Kysely } from 'kysely';
import {
  deliveryName,
  type LeadSelection,
  type ListedLead,
  listedJson,
  selectLeads,
} from '../server/operators/selection.ts';
import type { Schema } from '../server/storage/schema.ts';
import { type Column, escapeControls, paint, table } from './terminal.ts';
import { clockIn } from './times.ts';

const COLOURS = {
  delivered: 'green',
  rejected: 'yellow',
  held: 'yellow',
  uncertain: 'red',
  dead: 'red',
} as const;

/** Returns the newest leads of a selection as text. */
export async function listLeads(
  db: Kysely<Schema>,
  selection: LeadSelection,
  options: { limit: number; json: boolean; timeZone: string },
): Promise<string> {
  const { limit, json, timeZone } = options;
  // Reads one lead more than it shows, to know whether there are more.
  const found = await selectLeads(db, selection, { limit: limit + 1, order: 'desc' });
  const leads = found.slice(0, limit);
  if (json) return escapeControls(JSON.stringify(leads.map(listedJson), null, 2));
  if (leads.length === 0) return 'No leads.';
  const more =
    found.length > limit ? `\n${paint('dim', `… and more: raise --limit to see them`)}` : '';
  const zone = paint('dim', `Times are ${timeZone} (OPERATORS_TIME_ZONE).`);
  return `${table(leads, columns(timeZone))}\n${zone}${more}`;
}

function columns(timeZone: string): Column<ListedLead>[] {
  const clock = clockIn(timeZone);
  return [
    {
      title: 'received',
      value: ({ created_at }) => {
        const { date, time } = clock(created_at);
        return `${date} ${time.slice(0, 5)}`;
      },
    },
    { title: 'lead', value: ({ id }) => id },
    { title: 'survey', value: ({ survey }) => survey.replace(/^\/survey\//, '') },
    {
      title: 'qualified',
      value: ({ qualified, dq_reason }) => (qualified ? 'yes' : `no ${dq_reason.split('|')[0]}`),
    },
    {
      title: 'delivery',
      value: (lead) => deliveryText(lead),
      format: ({ deliveries }) => {
        const states = deliveries.map((delivery) => delivery.state);
        const worst = (['dead', 'uncertain', 'held', 'rejected', 'delivered'] as const).find(
          (state) => states.includes(state),
        );
        return worst === undefined ? undefined : COLOURS[worst];
      },
    },
  ];
}

function deliveryText({ deliveries, is_test, state, problems }: ListedLead): string {
  const marks = [
    ...(is_test ? ['test'] : []),
    ...(state === 'held' ? holdReasons(problems) : []),
    ...(state === 'erased' ? ['erased'] : []),
  ];
  const sent = deliveries.map((delivery) => {
    const again = delivery.attempts > 1 ? ` ×${delivery.attempts}` : '';
    return `${deliveryName(delivery)} ${delivery.state}${again}`;
  });
  return [...sent, ...marks.map((mark) => `(${mark})`)].join(' ') || '-';
}

/** Returns the reasons for a hold, as recorded in the lead's problems. */
function holdReasons(problems: unknown): string[] {
  const held = (Array.isArray(problems) ? problems : []).filter((one) => one?.problem === 'held');
  return held.length === 0 ? ['held'] : held.map(({ reason }) => String(reason));
}
