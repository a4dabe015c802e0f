/** `npm run doctor`. Exit codes: 0 nothing is wrong, 1 something is wrong, 2 wrong usage. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { examine } from './doctor.ts';
import { isSick, reportText } from './finding.ts';

const USAGE = `Usage: npm run doctor

Checks the machine, the settings, the database and the site, and makes a test call to every third party
(docs/operations.md). It takes no options.`;

/** Runs the command. @returns the exit code */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...args], options: { help: { type: 'boolean' } } });
    if (values.help) {
      console.log(USAGE);
      return 0;
    }
  } catch {
    console.error(USAGE);
    return 2;
  }
  const findings = await examine();
  console.log(reportText(findings));
  return isSick(findings) ? 1 : 0;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
