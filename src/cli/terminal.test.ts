import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { plain, writeText } from './terminal.ts';

test('plain removes control characters from any text', () => {
  expect(plain('a\u001b[2Jb\nc\u0007\u202ed')).toBe('ab c d');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plain(text)).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    }),
  );
});

let folder: string | undefined;
afterEach(async () => {
  if (folder) await rm(folder, { recursive: true });
});

test('a process that ends while writing a file leaves no unfinished file', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'export-'));
  const before = process.listeners('exit');
  async function* ended() {
    yield 'name,n\r\n';
    for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(130);
  }
  await expect(writeText(ended(), path.join(folder, 'leads.csv'))).rejects.toThrow('written');
  expect(await readdir(folder)).toEqual([]);
});
