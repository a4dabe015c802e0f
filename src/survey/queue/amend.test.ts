import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../contract/lead.ts';
import { BrowserQueue } from './browser-queue.ts';

const lead_id = '01930000-0000-7000-8000-000000000001';
const whole = { lead_id, survey: '/survey/v6', email: 'a@b.co' } as unknown as PostLeadBody;
const part = { lead_id, selected_buyers: '50002' };

let queue: BrowserQueue;
let bodies: unknown[];
let isReachable: boolean;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  bodies = [];
  isReachable = true;
  queue = new BrowserQueue({
    fetch: (async (_: string, { body }: RequestInit) => {
      bodies.push(JSON.parse(body as string));
      if (!isReachable) throw new TypeError('Failed to fetch');
      return Response.json({ lead_id });
    }) as typeof fetch,
    target: new EventTarget(),
    locks: undefined,
  });
});

afterEach(() => {
  queue.stop();
  vi.unstubAllGlobals();
});

test('what is added to a lead that the server has is a post of its own', async () => {
  await (await queue.post(whole, 'secret')).settled;
  expect(await (await queue.amend(part, 'secret')).settled).toBe(true);
  expect(bodies).toEqual([whole, part]);
});

test('what is added to a lead that is still unsent goes with it, and nothing of it is lost', async () => {
  isReachable = false;
  await queue.post(whole, 'secret');
  await vi.waitFor(() => expect(bodies).toHaveLength(1));
  isReachable = true;
  const { settled } = await queue.amend(part, 'secret');
  expect(await settled).toBe(true);
  expect(bodies.at(-1)).toEqual({ ...whole, ...part });
  expect(await queue.waiting()).toEqual([]);
});
