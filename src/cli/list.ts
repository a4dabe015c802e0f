/** The commands that list and export leads. */
import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { deliveryStates, leadStates } from '../model/messages/vocabulary.ts';
import {
  type ExportFormat,
  escapeControls,
  exportText,
  type ListedLead,
  listedJson,
  readLeads,
} from '../server/insight/index.ts';
import { deliveryName } from '../server/leads/index.ts';
import { timeFormatter } from '../server/platform/time-format.ts';
import { connected, type OperatorDatabase, warnOfUncounted } from './connect.ts';
import { filterOf, type SelectionOptions, wholeNumber, withSelection } from './options.ts';
import { Interrupted } from './run.ts';
import { showProgress, table } from './terminal.ts';
import { writeText } from './write-text.ts';

type ListOptions = SelectionOptions & {
  state?: string;
  qualified?: 'yes' | 'no';
  limit: number;
  json?: true;
};

/** Adds `leads list`: prints a table or one JSON array. */
export function addList(program: Command): void {
  const command = program.command('list').description('Lists the newest leads, one per line.');
  withSelection(command)
    .addOption(
      new Option('--state <state>', 'state of the lead or of one of its deliveries').choices([
        ...new Set([...leadStates, ...deliveryStates]),
      ]),
    )
    .addOption(
      new Option('--qualified <answer>', 'by the qualification rule').choices(['yes', 'no']),
    )
    .option('--limit <number>', 'show at most this many', wholeNumber, 50)
    .option('--json', 'print one JSON array, with every field')
    .action((options: ListOptions) =>
      connected(
        async (database) => {
          const { limit, json, state, qualified } = options;
          await warnOfUncounted(database);
          const key = leadStates.some((each) => each === state) ? 'lead' : 'delivery';
          const filter = {
            ...filterOf(options),
            ...(state !== undefined && { [key]: state }),
            ...(qualified && { qualified }),
          };
          // Reads one lead more than it shows, to know whether there are more.
          const found = await readLeads(database.leadList, filter, { limit: limit + 1 });
          const leads = found.slice(0, limit);
          console.log(
            json
              ? escapeControls(JSON.stringify(leads.map(listedJson), null, 2))
              : listText(leads, found.length > limit, database.timeZone),
          );
        },
        { isReading: true },
      ),
    );
}

function listText(leads: readonly ListedLead[], hasMore: boolean, timeZone: string): string {
  if (leads.length === 0) return 'No leads.';
  const clock = timeFormatter(timeZone);
  const rows = leads.map((lead) => {
    const { date, time } = clock(lead.created_at);
    const survey = lead.survey.replace(/^\/survey\//, '');
    const qualified = lead.qualified ? 'yes' : `no ${lead.dq_reason.split('|')[0]}`;
    return [`${date} ${time.slice(0, 5)}`, lead.id, survey, qualified, deliveryText(lead)];
  });
  const more = hasMore ? '\n… and more: raise --limit to see them' : '';
  const zone = `Times are ${timeZone} (OPERATORS_TIME_ZONE).`;
  return `${table(['received', 'lead', 'survey', 'qualified', 'delivery'], rows)}\n${zone}${more}`;
}

function deliveryText({ deliveries, is_test, state, counted }: ListedLead): string {
  const holds = counted.holds.length === 0 ? ['held'] : counted.holds;
  const marks = [
    ...(is_test ? ['test'] : []),
    ...(state === 'held' ? holds : []),
    ...(state === 'erased' ? ['erased'] : []),
  ];
  const sent = deliveries.map((delivery) => {
    const again = delivery.attempts > 1 ? ` ×${delivery.attempts}` : '';
    return `${deliveryName(delivery)} ${delivery.state}${again}`;
  });
  return [...sent, ...marks.map((mark) => `(${mark})`)].join(' ') || '-';
}

type ExportOptions = SelectionOptions & { format: ExportFormat; output?: string };

/** Adds `leads export`: writes leads as CSV or JSON. */
export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('Exports leads, oldest first. The file holds personal data: keep it safe.')
    .addOption(
      new Option('--format <format>', 'csv (RFC 4180) or json (one array)')
        .choices(['csv', 'json'])
        .makeOptionMandatory(),
    );
  withSelection(command)
    .option('--output <file>', 'write to a file that only you can read, not to standard output')
    .action((options: ExportOptions) =>
      connected((database) => writeLeads(database, options), {
        isReading: true,
        isInPortions: true,
      }),
    );
}

async function writeLeads(database: OperatorDatabase, options: ExportOptions): Promise<void> {
  const { leadList, signal, audit } = database;
  const { format, output } = options;
  await warnOfUncounted(database);
  const filter = filterOf(options);
  const detail = { format, filter };
  await audit({ action: 'leads.exported', subject: `export ${randomUUID()}`, detail });
  const progress = showProgress('leads');
  const text = exportText(leadList, filter, {
    format,
    signal,
    exported: ({ length }) => progress.add(length),
  });
  try {
    await writeText(text, output);
  } catch (error) {
    if (error instanceof Interrupted) error.message = 'Interrupted: the export is not whole.';
    throw error;
  } finally {
    progress.end();
  }
}
