import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
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

const HOSTILE = 'Maria \u001b]52;c;cm0=\u0007\u009b2J,1\r\n';

async function* parts() {
  yield 'name,n\r\n';
  yield HOSTILE;
}

async function shown(isTTY: boolean): Promise<string> {
  const stream = Object.assign(new PassThrough(), { isTTY });
  await writeText(parts(), undefined, stream);
  stream.end();
  return text(stream);
}

let folder: string | undefined;
afterEach(async () => {
  if (folder) await rm(folder, { recursive: true });
});

test('an export to a terminal escapes control characters', async () => {
  expect(await shown(true)).toBe('name,n\r\nMaria \\u001b]52;c;cm0=\\u0007\\u009b2J,1\r\n');
});

test('an export to a pipe or a file is not changed', async () => {
  expect(await shown(false)).toBe(`name,n\r\n${HOSTILE}`);
  folder = await mkdtemp(path.join(tmpdir(), 'export-'));
  const file = path.join(folder, 'leads.csv');
  await writeText(parts(), file);
  expect(await readFile(file, 'utf8')).toBe(`name,n\r\n${HOSTILE}`);
});

test('a process that ends during an export leaves no unfinished file', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'export-'));
  const before = process.listeners('exit');
  async function* ended() {
    yield 'name,n\r\n';
    for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(130);
  }
  await expect(writeText(ended(), path.join(folder, 'leads.csv'))).rejects.toThrow('written');
  expect(await readdir(folder)).toEqual([]);
});
