import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { commandForTests } from '../../tests/support/command.ts';

const command = commandForTests();
const { leads, seed } = command;

/** Sends SIGINT twice to the next command, as soon as it handles signals. */
function interruptNext(): void {
  const onListener = (name: string, listener: (signal: string) => void) => {
    if (name !== 'SIGINT') return;
    process.off('newListener', onListener);
    // Sends the signal twice, because npm passes on a signal that the terminal has already sent to
    // the command.
    for (let sent = 0; sent < 2; sent += 1) queueMicrotask(() => listener('SIGINT'));
  };
  process.on('newListener', onListener);
}

test('an interrupted export exits with 130 and leaves no file', async () => {
  await seed({});
  const dir = await mkdtemp(path.join(tmpdir(), 'funnel-export-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  interruptNext();
  const file = path.join(dir, 'leads.csv');
  const { code, err } = await leads('export', '--format', 'csv', '--output', file);
  expect([code, err]).toEqual([
    130,
    expect.stringMatching('Interrupted: the export is not whole.'),
  ]);
  expect(await readdir(dir)).toEqual([]);
});
