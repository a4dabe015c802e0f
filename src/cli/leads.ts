/** The command `npm run leads -- list | show | export | resend | release | …` for operators. */
import { addDismiss, addRelease, addResend } from './deliveries.ts';
import { addEvidence, addEvidenceKeys } from './evidence.ts';
import { addExport, addList, addShow } from './list.ts';
import { addImport } from './money.ts';
import { addErase, addSuppress } from './persons.ts';
import { createProgram, runAsProcess, runProgram } from './run.ts';

/** All subcommands, in the order of the help. */
const commands = [
  ...[addList, addShow, addExport, addResend, addRelease, addDismiss],
  ...[addSuppress, addErase, addImport, addEvidence, addEvidenceKeys],
];

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
  130  interrupted (SIGTERM: 143); repeat the command
`;

/** Runs the command and returns the exit code. */
export function run(argv: readonly string[]): Promise<number> {
  const about = 'Shows, exports and changes the leads that were received.';
  const program = createProgram('leads', about, ABOUT);
  for (const add of commands) add(program);
  return runProgram(program, argv);
}

if (import.meta.main) await runAsProcess(run);
