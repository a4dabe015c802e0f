import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { PageLocals } from '../../model/messages/site-settings.ts';
import { startPageProcess } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'page-process-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A fake renderer, which answers with its process id and its start message. */
const program = join(folder, 'renderer.mjs');
writeFileSync(
  program,
  `let start;
  process.on('message', (message) => {
    if ('dist' in message) start = message;
    else if (message.url === '/end') process.exit(3);
    else if (message.url === '/fail') process.send({ id: message.id, error: new Error('broken') });
    else if (message.url !== '/silent') {
      const text = JSON.stringify([process.pid, start.dist, start.locals, message.url]);
      const page = { status: 200, headers: {}, br: Buffer.from(text) };
      process.send({ id: message.id, page });
    }
  });`,
);
const locals = { timeZone: 'UTC' } as PageLocals;

let pages: ReturnType<typeof startPageProcess> | undefined;
afterEach(() => pages?.close());

function starting(options: { idleMs?: number } = {}) {
  pages = startPageProcess(folder, locals, { program, ...options });
  return pages;
}

async function answerTo(url: string): Promise<[pid: number, ...rest: unknown[]]> {
  const page = await pages?.render(url);
  expect(page?.br).toBeInstanceOf(Buffer);
  return JSON.parse(String(page?.br));
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('the renderer process renders with the build and settings of its start message', async () => {
  starting();
  const [one, two] = await Promise.all([answerTo('/one'), answerTo('/two')]);
  expect(one).toEqual([expect.any(Number), folder, locals, '/one']);
  expect(two).toEqual([one[0], folder, locals, '/two']);
  expect(one[0]).not.toBe(process.pid);
});

it('the renderer process ends when it is idle', async () => {
  starting({ idleMs: 20 });
  const [first] = await answerTo('/one');
  await expect.poll(() => isRunning(first), { timeout: 60_000 }).toBe(false);
  expect((await answerTo('/two'))[0]).not.toBe(first);
});

it('a waiting request is rejected when the renderer process crashes', async () => {
  await expect(starting().render('/end')).rejects.toThrow('the renderer ended (3)');
  expect((await answerTo('/one'))[3]).toBe('/one');
});

it('every request to a dead renderer process is rejected', async () => {
  const { render } = starting();
  const [pid] = await answerTo('/one');
  process.kill(pid, 'SIGKILL');
  // Blocks the event loop, so that the exit event arrives only after the requests are sent.
  while (
    !execFileSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).startsWith('Z')
  );
  const ends = await Promise.allSettled(['/two', '/three', '/four'].map(render));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect((await answerTo('/five'))[0]).not.toBe(pid);
});

it('a waiting request is rejected when the server stops', async () => {
  const { render, close } = starting();
  const [pid] = await answerTo('/one');
  const never = render('/silent');
  close();
  await expect(never).rejects.toThrow('the server is stopping');
  await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
});
