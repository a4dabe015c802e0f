import { type Command, Option } from 'commander';
import { escapeControls } from '../server/operators/escape-controls.ts';
import {
  deliveryName,
  type LeadSelection,
  type ListedLead,
  listedJson,
  SELECTABLE_STATES,
  selectLeads,
} from '../server/operators/selection.ts';
import { timeFormatter } from '../server/operators/time-format.ts';
import { connected } from './connect.ts';
import { wholeNumber, withSelection } from './options.ts';
import { type Column, paint, table } from './terminal.ts';

const COLOURS = {
  delivered: 'green',
  rejected: 'yellow',
  held: 'yellow',
  uncertain: 'red',
  dead: 'red',
} as const;

type Options = Omit<LeadSelection, 'qualified'> & {
  qualified?: 'yes' | 'no';
  limit: number;
  json?: true;
};

/** Adds `leads list`: prints a table or one JSON array. */
export function addList(program: Command): void {
  const command = program.command('list').description('Lists the newest leads, one per line.');
  withSelection(command)
    .addOption(
      new Option('--state <state>', 'state of the lead or of one of its deliveries').choices(
        SELECTABLE_STATES,
      ),
    )
    .addOption(
      new Option('--qualified <answer>', 'by the qualification rule').choices(['yes', 'no']),
    )
    .option('--limit <number>', 'show at most this many', wholeNumber, 50)
    .option('--json', 'print one JSON array, with every field')
    .action(({ limit, json, qualified: answer, ...rest }: Options) =>
      connected(
        async ({ db, timeZone }) => {
          const selection = { ...rest, ...(answer && { qualified: answer === 'yes' }) };
          // Reads one lead more than it shows, to know whether there are more.
          const found = await selectLeads(db, selection, { limit: limit + 1, order: 'desc' });
          const leads = found.slice(0, limit);
          console.log(
            json
              ? escapeControls(JSON.stringify(leads.map(listedJson), null, 2))
              : listText(leads, found.length > limit, timeZone),
          );
        },
        { isReading: true },
      ),
    );
}

function listText(leads: readonly ListedLead[], hasMore: boolean, timeZone: string): string {
  if (leads.length === 0) return 'No leads.';
  const more = hasMore ? `\n${paint('dim', `… and more: raise --limit to see them`)}` : '';
  const zone = paint('dim', `Times are ${timeZone} (OPERATORS_TIME_ZONE).`);
  return `${table(leads, columns(timeZone))}\n${zone}${more}`;
}

function columns(timeZone: string): Column<ListedLead>[] {
  const clock = timeFormatter(timeZone);
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
