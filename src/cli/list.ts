/** The commands that list, show and export leads. */
import { type Command, Option } from 'commander';
import type { LeadAnswer, TimelineEntry } from '../model/messages/console/leads.ts';
import { deliveryStates, leadStates } from '../model/messages/vocabulary.ts';
import {
  type ExportFormat,
  exportText,
  type ListedLead,
  readAttemptBytes,
  readLead,
  readLeads,
} from '../server/insight/index.ts';
import { deliveryName, findLead } from '../server/leads/index.ts';
import { timeFormatter } from '../server/platform/time-format.ts';
import { connectedToRead, type OperatorDatabase, warnOfUncounted } from './connect.ts';
import { filterOf, type SelectionOptions, wholeNumber, withSelection } from './options.ts';
import { plain, table, writeText } from './terminal.ts';

type ListOptions = SelectionOptions & {
  state?: string;
  limit: number;
};

/** Adds `leads list`: prints a table. */
export function addList(program: Command): void {
  const command = program.command('list').description('Lists the newest leads, one per line.');
  withSelection(command)
    .addOption(
      new Option('--state <state>', 'state of the lead or of one of its deliveries').choices([
        ...new Set([...leadStates, ...deliveryStates]),
      ]),
    )
    .option('--limit <number>', 'show at most this many', wholeNumber, 50)
    .action((options: ListOptions) =>
      connectedToRead(async (database) => {
        const { limit, state } = options;
        await warnOfUncounted(database);
        const key = leadStates.some((each) => each === state) ? 'lead' : 'delivery';
        const filter = { ...filterOf(options), ...(state !== undefined && { [key]: state }) };
        const leads = await readLeads(database.leadList, filter, { limit });
        console.log(listText(leads, limit, database.leadList.timeZone));
      }),
    );
}

function listText(leads: readonly ListedLead[], limit: number, timeZone: string): string {
  if (leads.length === 0) return 'No leads.';
  const clock = timeFormatter(timeZone);
  const rows = leads.map((lead) => {
    const { date, time } = clock(lead.created_at);
    const survey = lead.survey.replace(/^\/survey\//, '');
    const qualified = lead.qualified ? 'yes' : `no ${lead.dq_reason.split('|')[0]}`;
    return [`${date} ${time.slice(0, 5)}`, lead.id, survey, qualified, deliveryText(lead)];
  });
  const zone = `Times are ${timeZone} (OPERATORS_TIME_ZONE).`;
  const more = leads.length < limit ? '' : '\nThere may be more: raise --limit to see them.';
  return `${table(['received', 'lead', 'survey', 'qualified', 'delivery'], rows)}\n${zone}${more}`;
}

function deliveryText({ deliveries, is_test, state, counted }: ListedLead): string {
  const holds = counted.holds.length === 0 ? ['held'] : counted.holds;
  const marks = [
    ...(is_test ? ['test'] : []),
    ...(state === 'held' ? holds : []),
    ...(state === 'erased' ? ['erased'] : []),
  ];
  const sent = deliveries.map((delivery) => `${deliveryName(delivery)} ${delivery.state}`);
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
      connectedToRead((database) => writeLeads(database, options)),
    );
}

async function writeLeads(database: OperatorDatabase, options: ExportOptions): Promise<void> {
  const { leadList, audit } = database;
  const { format, output } = options;
  await warnOfUncounted(database);
  const filter = filterOf(options);
  const detail = { format, filter };
  await audit({ action: 'leads.exported', subject: 'leads', detail });
  await writeText(exportText(leadList, filter, format), output);
}

/** Adds `leads show`: prints a lead with all values. */
export function addShow(program: Command): void {
  program
    .command('show')
    .description(
      'Shows everything about one lead: click, steps, consent, rules, deliveries, proof.',
    )
    .argument('<id>', 'lead id, or its beginning')
    .action((prefix: string) =>
      connectedToRead(async ({ pool, settings, audit }) => {
        const from = { pool, settings };
        const { id } = await findLead(pool, prefix);
        const answer = await readLead(from, id, { role: 'admin', isOpened: true });
        const story = [];
        for (const entry of answer.story) {
          const { deliveryId, attempt } = entry;
          const isSent = deliveryId !== undefined && attempt !== undefined;
          const sent = isSent && (await readAttemptBytes(from, id, { deliveryId, attempt }));
          story.push({ ...entry, ...(sent && { proof: sent.proof }) });
        }
        await audit({ action: 'lead.opened', subject: id });
        console.log(leadText({ ...answer, story }, settings.operatorsTimeZone));
      }),
    );
}

type ShownEntry = TimelineEntry & { readonly proof?: string };
type ShownLead = LeadAnswer & { readonly story: readonly ShownEntry[] };

/** Returns the text of `leads show`, without control characters, which visitors could send. */
function leadText(answer: ShownLead, timeZone: string): string {
  const { lead, isSuppressed, outcome, notes, others, deliveries, story, evidence } = answer;
  const clock = timeFormatter(timeZone);
  const lines = [
    `Lead ${lead.id} (${lead.state})${isSuppressed ? ' (not to be contacted)' : ''}`,
    [lead.name, lead.email, lead.phone, lead.usState].filter(Boolean).join(' · '),
    `survey ${lead.survey} · language ${lead.language} · revision ${lead.revision} ${lead.variants}`,
    ...outcome,
    ...notes,
    ...others.map(({ id, state }) => `same person: lead ${id} (${state})`),
    ...deliveries.map(({ title, state, attempts, whyNot }) =>
      `${title}: ${state.replaceAll('_', ' ')}, attempts: ${attempts}. ${whyNot}`.trim(),
    ),
    '',
    ...story.flatMap((entry) => [
      `${clock(new Date(entry.at)).full}  ${entry.title}`,
      ...entryLines(entry).map((line) => `    ${line}`),
    ]),
    '',
    evidence?.text ?? '',
  ];
  return lines.map(plain).join('\n');
}

function entryLines(entry: ShownEntry): string[] {
  const { text, details, changes = [], rules = [], consent, proof = '' } = entry;
  return [
    text,
    consent?.text ? `“${consent.text}”` : '',
    ...changes.map(({ field, before, after, by }) => `${field}: ${before} → ${after} ${by}`),
    ...rules.map(({ name, result, inputs }) => {
      const given = inputs.map(({ label, value }) => `${label} ${value}`).join(', ');
      return `rule ${name}: ${result} (${given})`;
    }),
    ...details.map(({ label, value }) => `${label}: ${value}`),
    proof,
  ].filter((line) => line !== '');
}
