import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EffectStore } from './effects.ts';
import { startSandbox } from './server.ts';
import { exampleLead, postJson } from './testing.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  file = join(folder, 'effects.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('remembers leads across a restart of the sandbox', async () => {
  const first = await startSandbox({ stateFile: file });
  await postJson(`${first.url}/ingest`, exampleLead());
  const before = first.effects();
  await first.close();

  const second = await startSandbox({ stateFile: file });
  try {
    expect(second.effects()).toEqual(before);
    const { body } = await postJson(`${second.url}/ingest`, exampleLead());
    expect(body).toMatchObject({ status: 'DUPLICATED' });
  } finally {
    await second.close();
  }
  expect(readFileSync(file, 'utf8')).not.toContain('sandbox-lp-key');
});

it('drops a line that a kill cut short, and continues after it', () => {
  const request = (key: string) => ({
    service: 'ingest' as const,
    keys: [key] as [string],
    detail: {},
    at: '2026-01-01T00:00:00.000Z',
    recognise: true,
  });
  const first = new EffectStore(file);
  first.apply(request('a'));
  first.close();
  appendFileSync(file, '{"service":"ingest","keys":["b"');

  const second = new EffectStore(file);
  expect(second.list().map((one) => one.key)).toEqual(['a']);
  second.apply(request('c'));
  second.close();

  const third = new EffectStore(file);
  expect(third.list().map((one) => one.key)).toEqual(['a', 'c']);
  third.close();
});
