/** The operators' command: `npm run leads -- list | show | export | resend`. */
import process from 'node:process';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { cleanDatabaseError } from '../server/storage/database-error.ts';
import { createQueue } from '../server/storage/queue.ts';
import { CliError, EXIT } from './cli-error.ts';
import { type Connection, connect } from './connect.ts';
import { type ExportFormat, exportLeads } from './export-leads.ts';
import { findLead, type LeadSelection, SELECTABLE_STATES } from './lead-selection.ts';
import { listLeads } from './list-leads.ts';
import { resendLead } from './resend.ts';
import { readStory } from './story.ts';
import { storyText } from './story-text.ts';
import { parseTime } from './times.ts';

const ABOUT = `
It works beside a running server, and alone: then it starts the embedded database of DATA_DIR and
stops it again. With DATABASE_URL it uses that. Settings are read from the environment and .env.

An id may be shortened to any beginning that fits one lead only.

Exit codes:
  0  done
  1  failed: refused, or the database cannot be reached
  2  usage: an option, an argument or a setting is wrong
  3  there is no such lead

Examples:
  npm run leads -- list --since 24h --state dead
  npm run leads -- show 0198a1b2
  npm run leads -- export --format csv --since 2026-07-01 --output leads.csv
  npm run leads -- resend 0198a1b2
`;

type SelectionOptions = {
  since?: Date;
  until?: Date;
  survey?: string;
  state?: string;
  qualified?: 'yes' | 'no';
};

function selectionOf(options: SelectionOptions): LeadSelection {
  const { since, until, survey, state, qualified } = options;
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(survey === undefined ? {} : { survey }),
    ...(state === undefined ? {} : { state }),
    ...(qualified === undefined ? {} : { qualified: qualified === 'yes' }),
  };
}

const sinceOption = () =>
  new Option(
    '--since <time>',
    'received at or after: 2026-07-01, 2026-07-01T14:30 (UTC), 24h, 7d',
  ).argParser((text) => parseTime(text));
const untilOption = () =>
  new Option('--until <time>', 'received before').argParser((text) => parseTime(text));
const surveyOption = () =>
  new Option('--survey <path>', 'of this survey, for example /survey/v4nv').argParser((text) =>
    text.startsWith('/') ? text.replace(/(.)\/+$/, '$1') : `/survey/${text}`,
  );

function limitOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('Expected a number from 1 to 999999.');
  return Number(text);
}

async function withConnection(use: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await connect();
  try {
    await use(connection);
  } finally {
    await connection.close();
  }
}

function buildProgram(): Command {
  const program = new Command('leads')
    .description('Shows, exports and sends again the leads that were received.')
    .addHelpText('after', ABOUT)
    .showHelpAfterError('(--help shows how it is used)')
    .exitOverride();

  program
    .command('list')
    .description('The newest leads, one a line.')
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(surveyOption())
    .addOption(
      new Option('--state <state>', 'state of the lead or of one of its deliveries').choices(
        SELECTABLE_STATES,
      ),
    )
    .addOption(
      new Option('--qualified <answer>', 'by the qualification rule').choices(['yes', 'no']),
    )
    .option('--limit <number>', 'at most so many', limitOf, 50)
    .option('--json', 'one JSON array, with every field')
    .action(async (options: SelectionOptions & { limit: number; json?: true }) => {
      await withConnection(async ({ db, timeZone }) => {
        const { limit, json = false } = options;
        console.log(await listLeads(db, selectionOf(options), { limit, json, timeZone }));
      });
    });

  program
    .command('show')
    .description('The whole story of one lead: click, steps, consent, rules, deliveries.')
    .argument('<id>', 'lead id, or its beginning')
    .option('--json', 'one JSON object')
    .action(async (id: string, options: { json?: true }) => {
      await withConnection(async ({ db, timeZone }) => {
        const story = await readStory(db, await findLead(db, id));
        console.log(options.json ? JSON.stringify(story, null, 2) : storyText(story, timeZone));
      });
    });

  program
    .command('export')
    .description('Every lead of a selection, oldest first. Full of personal data: keep it safe.')
    .addOption(
      new Option('--format <format>', 'csv (RFC 4180) or json (one array)')
        .choices(['csv', 'json'])
        .makeOptionMandatory(),
    )
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(surveyOption())
    .option('--output <file>', 'write to a file that only you can read, instead of standard output')
    .action(async (options: SelectionOptions & { format: ExportFormat; output?: string }) => {
      await withConnection(async ({ db }) => {
        const { format, output } = options;
        const where = output === undefined ? {} : { output };
        await exportLeads(db, selectionOf(options), { format, ...where });
      });
    });

  program
    .command('resend')
    .description('Sends a lead again, with a whole new round of attempts.')
    .argument('<id>', 'lead id, or its beginning')
    .option('--destination <name>', 'which one, where the lead has several')
    .option(
      '--force',
      'also when the destination took the lead, may have taken it, or the lead is held for review',
    )
    .action(async (id: string, options: { destination?: string; force?: true }) => {
      await withConnection((connection) => resend(connection, id, options));
    });
  return program;
}

async function resend(
  connection: Connection,
  id: string,
  options: { destination?: string; force?: true },
): Promise<void> {
  const { db, pool, connectionString, log, serverIsRunning } = connection;
  const { destination, force = false } = options;
  const lead = await findLead(db, id);
  const queue = createQueue({ connectionString, log, poolMax: 1, supervise: false });
  try {
    await queue.start();
    const result = await resendLead(pool, queue, lead.id, {
      ...(destination === undefined ? {} : { destination }),
      force,
    });
    if (result.warning !== undefined) console.error(result.warning);
    const when = serverIsRunning === false ? 'when the server runs' : 'by the running server';
    console.log(
      `Lead ${lead.id} was ${result.from} and is sent to ${result.destination} again, ${when}.`,
    );
  } finally {
    await queue.stop({ graceful: false, timeoutMs: 0 });
  }
}

/**
 * Runs the command.
 * @returns the exit code.
 */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync([...argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof CliError) {
      console.error(error.message);
      return error.exitCode;
    }
    // Database errors can hold a visitor's values.
    const { message } = cleanDatabaseError(error);
    console.error(`It failed: ${message}`);
    return EXIT.failed;
  }
}

if (import.meta.main) {
  // `| head` closes the pipe early: that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}
