import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EffectStore } from './effects.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  file = join(folder, 'effects.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('keeps effects across restarts, drops a line that a kill cut short, and continues after it', () => {
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
