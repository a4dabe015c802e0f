/** The command `npm run console -- invite | revoke | recount`. */
import { Option } from 'commander';
import { type Role, roles } from '../model/messages/console/people.ts';
import { counted, countingOptions, recount } from '../server/insight/index.ts';
import { invite, revokePerson, signInLink } from '../server/people/index.ts';
import { usage } from '../server/platform/operator-error.ts';
import { readConsoleAddress } from '../server/settings/environment.ts';
import type { Settings } from '../server/settings/settings.ts';
import { connected } from './connect.ts';
import { createProgram, runAsProcess, runProgram } from './run.ts';
import { operatorName } from './terminal.ts';

const ABOUT = `
The command works with or without a running server, as "npm run leads" does.

Roles:
  viewer    numbers and masked leads
  operator  also opens leads and acts on them
  admin     also people, erasure and settings
`;

/** Runs the command and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const about = "Manages who may use the operators' console, and makes its counts again.";
  const program = createProgram('console', about, ABOUT);
  program
    .command('invite')
    .description('Lets a person in, and prints a link that signs them in once within 72 hours.')
    .argument('<email>', 'the address of the person')
    .addOption(
      new Option('--role <role>', 'what the person may do').choices(roles).makeOptionMandatory(),
    )
    .action((email: string, { role }: { role: Role }) =>
      connected(async ({ pool, settings }) => {
        const origin = consoleOrigin(settings);
        const { person, secret } = await invite(pool, { email, role, actor: operatorName() });
        console.log(`${person.email} may sign in as ${role}, once, within 72 hours:`);
        console.log(signInLink(origin, secret));
      }),
    );
  program
    .command('revoke')
    .description('Shuts a person out at once: sessions, links and passkeys end.')
    .argument('<email>', 'the address of the person')
    .action((email: string) =>
      connected(async ({ pool }) => {
        const sessions = await revokePerson(pool, email, { actor: operatorName() });
        console.log(`${email} is shut out; ${counted(sessions, 'session')} ended.`);
      }),
    );
  program
    .command('recount')
    .description(
      'Makes the numbers and the list of leads again from the ledger. Both can be used meanwhile.',
    )
    .action(() =>
      connected(async ({ pool, settings }) => {
        await recount(pool, await countingOptions(settings));
        console.log('Every visit and hour is counted again.');
      }),
    );
  return runProgram(program, argv);
}

/** Returns the console's origin for browsers. @throws OperatorError if the console is off */
function consoleOrigin({ console: own, dataDir }: Settings): string {
  if (own === undefined) throw usage('The console is off: set CONSOLE_PORT.');
  // The running server may use another port than the settings say.
  return own.url ?? readConsoleAddress(dataDir) ?? `http://${own.host}:${own.port}`;
}

if (import.meta.main) await runAsProcess(run);
