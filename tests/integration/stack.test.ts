/** The browser tests' support code must leave nothing behind. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startStack } from '../e2e/support/stack.ts';

const run = promisify(execFile);

it('a stack whose server fails to start leaves no sandbox running', async () => {
  await expect(startStack({ PORT: 'eighty' })).rejects.toThrow(
    'PORT is "eighty": expected a whole number',
  );
  const children = await run('ps', ['-o', 'args=', '--ppid', String(process.pid)]).catch(
    () => ({ stdout: '' }), // Exits with 1 if no process matches.
  );
  expect(children.stdout).not.toContain('sandbox/main.ts');
});
