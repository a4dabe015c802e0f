/** The operators' command: `npm run leads -- list | show | export | resend | release | …`. */
import process from 'node:process';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type ExportFormat, exportText } from '../server/operators/export.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import { offlineDestinations, proveSent } from '../server/operators/proof.ts';
import { BULK_HOLDS } from '../server/operators/release.ts';
import { BULK_STATES } from '../server/operators/resend.ts';
import { findLead, type LeadSelection, SELECTABLE_STATES } from '../server/operators/selection.ts';
import { readStory } from '../server/operators/story.ts';
import { testWebhook } from '../server/operators/webhook-test.ts';
import { cleanDatabaseError } from '../server/storage/database-error.ts';
import { eraseCommand, releaseCommand, resendCommand, suppressCommand } from './changes.ts';
import {
  type Connection,
  connect,
  destinationSettings,
  operatorsTimeZone,
  outgoingHttp,
} from './connect.ts';
import { listLeads } from './list-leads.ts';
import { type RequestsOptions, requestsCommand, undoManyCommand } from './requests.ts';
import { storyText } from './story-text.ts';
import { escapeControls } from './terminal.ts';
import { parseTime } from './times.ts';
import { writeText } from './write-text.ts';

const EXIT = { ok: 0, refused: 1, usage: 2, not_found: 3 } as const;

const ABOUT = `
The command works with or without a running server. Without one, it starts the embedded database in
DATA_DIR and stops it at the end. DATABASE_URL selects another database. Settings come from the
environment and .env.

An id may be shortened to any beginning that is unique.

Exit codes:
  0  done
  1  failed: refused, or the database cannot be reached
  2  usage: an option, an argument or a setting is wrong
  3  no such lead or person

Examples:
  npm run leads -- list --since 24h --state dead
  npm run leads -- show 0198a1b2
  npm run leads -- export --format csv --since 2026-07-01 --output leads.csv
  npm run leads -- resend 0198a1b2
  npm run leads -- resend --state no_destination
  npm run leads -- release 0198a1b2
  npm run leads -- release --hold over_address_limit --since 24h
  npm run leads -- suppress ana@example.com
  npm run leads -- requests --all --since 1h
  npm run leads -- suppress --undo --since 2h --address 203.0.113.7 --dry-run
  npm run leads -- erase "(512) 555-0123"
  npm run leads -- webhook-test
`;

type SelectionOptions = {
  since?: Date;
  until?: Date;
  survey?: string;
  state?: string;
  qualified?: 'yes' | 'no';
};

function selectionOf({ qualified, ...options }: SelectionOptions): LeadSelection {
  const { since, until, survey, state } = options;
  return {
    since,
    until,
    survey,
    state,
    qualified: qualified === undefined ? undefined : qualified === 'yes',
  };
}

type ResendOptions = Omit<SelectionOptions, 'state' | 'qualified'> & {
  destination?: string;
  force?: true;
  state?: (typeof BULK_STATES)[number];
  message?: string;
  yes?: true;
};

type ReleaseOptions = Omit<SelectionOptions, 'state' | 'qualified'> & {
  hold?: (typeof BULK_HOLDS)[number];
  revision?: number;
};

type SuppressOptions = Pick<RequestsOptions, 'since' | 'until' | 'address' | 'yes'> & {
  undo?: true;
  dryRun?: true;
};

const sinceOption = () =>
  new Option(
    '--since <time>',
    'received at or after: 2026-07-01, 2026-07-01T14:30 (OPERATORS_TIME_ZONE), 24h, 7d',
  ).argParser((text) => parseTime(text, operatorsTimeZone()));
const untilOption = () =>
  new Option('--until <time>', 'received before').argParser((text) =>
    parseTime(text, operatorsTimeZone()),
  );
const addressOption = () =>
  new Option('--address <address>', 'sent from this IP address, or IPv6 /48 network');
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
    .description('Shows, exports and changes the leads that were received.')
    .addHelpText('after', ABOUT)
    .showHelpAfterError('(see --help for usage)')
    .exitOverride();

  program
    .command('list')
    .description('Lists the newest leads, one per line.')
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
    .option('--limit <number>', 'show at most this many', limitOf, 50)
    .option('--json', 'print one JSON array, with every field')
    .action(async (options: SelectionOptions & { limit: number; json?: true }) => {
      await withConnection(async ({ db, timeZone }) => {
        const { limit, json = false } = options;
        console.log(await listLeads(db, selectionOf(options), { limit, json, timeZone }));
      });
    });

  program
    .command('show')
    .description(
      'Shows everything about one lead: click, steps, consent, rules, deliveries, proof.',
    )
    .argument('<id>', 'lead id, or its beginning')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: { json?: true }) => {
      await withConnection(async ({ db, pool, timeZone }) => {
        const story = await readStory(db, await findLead(pool, id));
        const proofs = await proveSent(story, offlineDestinations(destinationSettings()), pool);
        console.log(
          options.json
            ? escapeControls(JSON.stringify({ ...story, proofs }, null, 2))
            : storyText(story, proofs, timeZone),
        );
      });
    });

  program
    .command('export')
    .description('Exports leads, oldest first. The file holds personal data: keep it safe.')
    .addOption(
      new Option('--format <format>', 'csv (RFC 4180) or json (one array)')
        .choices(['csv', 'json'])
        .makeOptionMandatory(),
    )
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(surveyOption())
    .option('--output <file>', 'write to a file that only you can read, not to standard output')
    .action(async (options: SelectionOptions & { format: ExportFormat; output?: string }) => {
      await withConnection(async ({ db }) => {
        const { format, output } = options;
        await writeText(exportText(db, selectionOf(options), format), output);
      });
    });

  program
    .command('resend')
    .description('Resends a lead with a new round of attempts, or many with --state.')
    .argument('[id]', 'lead id, or its beginning')
    .option(
      '--destination <name>',
      'destination, if the lead has several; name an event in full: "webhook lead.accepted"',
    )
    .option(
      '--force',
      'resend even if the destination has or may have the lead, or the lead is held for review',
    )
    .addOption(
      new Option('--state <state>', 'resend every delivery in this state').choices(BULK_STATES),
    )
    .option('--message <text>', 'only deliveries whose last answer contains this text: "1002"')
    .option('--yes', 'resend rejected deliveries; without it only the plan is shown')
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(surveyOption())
    .action(async (id: string | undefined, options: ResendOptions) => {
      const { state, destination, force, message, yes, ...selection } = options;
      await withConnection((connection) =>
        resendCommand(connection, id, { state, destination, force, message, yes, selection }),
      );
    });

  program
    .command('release')
    .description('Releases a held lead to its destinations, or many with --hold.')
    .argument('[id]', 'lead id, or its beginning')
    .addOption(
      new Option('--hold <reason>', 'release every lead held for this reason only').choices(
        BULK_HOLDS,
      ),
    )
    .addOption(
      new Option(
        '--revision <number>',
        'the revision that you reviewed; refused if there is a newer one',
      ).argParser(limitOf),
    )
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(surveyOption())
    .action(async (id: string | undefined, { hold, revision, ...selection }: ReleaseOptions) => {
      await withConnection((connection) =>
        releaseCommand(connection, id, { hold, revision, selection }),
      );
    });

  program
    .command('suppress')
    .description('Puts a person on the suppression list: none of their leads is sent any more.')
    .argument('[person]', 'e-mail address, phone number, or lead id')
    .option(
      '--undo',
      'take the person off the list; or undo many requests, with --since or --address',
    )
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(addressOption())
    .option('--dry-run', 'only show what --undo would do to many requests')
    .option('--yes', 'do not ask for confirmation')
    .action((person: string | undefined, options: SuppressOptions) =>
      withConnection((connection) => {
        const { undo, since, until, address, ...how } = options;
        const isMany = since !== undefined || address !== undefined;
        if ((person === undefined) !== isMany || (isMany && !undo)) {
          throw new OperatorError(
            'usage',
            'Give either a person, or --undo with --since or --address.',
          );
        }
        return person === undefined
          ? undoManyCommand(connection, { since, until, address }, how)
          : suppressCommand(connection, person, { undo });
      }),
    );

  program
    .command('requests')
    .description(
      'Lists the do-not-sell requests that wait for an operator, as their address sent too many.',
    )
    .argument('[reference]', 'the reference that the visitor was given')
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(addressOption())
    .option('--all', 'list all requests, not only waiting ones')
    .option('--honor', 'put the persons of waiting requests on the suppression list')
    .option('--dismiss', 'close waiting requests without honoring them')
    .option('--yes', 'do not ask for confirmation')
    .action((reference: string | undefined, options: RequestsOptions) =>
      withConnection((connection) => requestsCommand(connection, reference, options)),
    );

  program
    .command('erase')
    .description("Erases a person's data and keeps the proof of what was done.")
    .argument('<person>', 'e-mail address, phone number, or lead id')
    .option('--yes', 'do not ask for confirmation')
    .action((person: string, options: { yes?: true }) =>
      withConnection((connection) => eraseCommand(connection, person, options)),
    );

  program
    .command('webhook-test')
    .description('Sends one signed "webhook.test" event to WEBHOOK_URL and shows the answer.')
    .action(async () => {
      const http = outgoingHttp();
      try {
        console.log(await testWebhook(destinationSettings(), http));
      } finally {
        await http.close();
      }
    });
  return program;
}

/** Runs the command. @returns the exit code */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync([...argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof OperatorError) {
      console.error(error.message);
      return EXIT[error.kind];
    }
    // Database errors can contain a visitor's values.
    const { message } = cleanDatabaseError(error);
    console.error(`The command failed: ${message}`);
    return EXIT.refused;
  }
}

if (import.meta.main) {
  // A reader such as `| head` may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}
