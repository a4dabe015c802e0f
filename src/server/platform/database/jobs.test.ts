import { expect, test, vi } from 'vitest';
import { createJobClock } from '../../../../tests/support/job-clock.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { testLog } from '../../../../tests/support/postgres.ts';
import { createJobs, type Job, type Turn } from './jobs.ts';

const { pool } = await databaseForTests((own) => own.query('truncate jobs, set_aside'));

/** Creates the jobs of one process, with a clock that only the test advances. */
function aProcess() {
  const alerts: string[] = [];
  const time = createJobClock();
  const jobs = createJobs({
    pool,
    log: testLog,
    clock: time.clock,
    alert: (text) => alerts.push(text),
  });
  return { jobs, alerts, time };
}

const job = (run: Job['run'], more: Partial<Job> = {}): Job => ({
  name: 'sweep',
  everyMs: 1_000,
  run,
  ...more,
});

test('a stalled process cannot write after another process has taken over the job', async () => {
  await pool.query('create table if not exists swept (by text)');
  const [first, second] = [aProcess(), aProcess()];
  let stalled: Turn | undefined;
  let thaw: (() => void) | undefined;
  const write = (turn: Turn, by: string) =>
    turn.transaction((client) => client.query('insert into swept values ($1)', [by]));
  let failure: unknown;
  first.jobs.start(
    job(async (turn) => {
      stalled = turn;
      await new Promise<void>((resolve) => {
        thaw = resolve;
      });
      failure = await write(turn, 'first').catch((error: Error) => error.name);
    }),
  );
  await vi.waitFor(() => expect(stalled).toBeDefined());

  const run = vi.fn((turn: Turn) => write(turn, 'second'));
  second.jobs.start(job(run));
  await second.time.untilResting(1);
  expect(run).not.toHaveBeenCalled();

  await pool.query(`update jobs set leased_until = now() - interval '1 second'`);
  await second.time.advance(1_000, 1);
  expect(run).toHaveBeenCalledOnce();
  thaw?.();
  await vi.waitFor(() => expect(failure).toBe('LeaseLostError'));
  expect((await pool.query('select by from swept')).rows).toEqual([{ by: 'second' }]);

  await second.jobs.stop();
  await first.jobs.stop();
});

test('a job processes the other items if one item fails', async () => {
  const { jobs, alerts, time } = aProcess();
  const done: number[] = [];
  jobs.start(
    job((turn) =>
      turn.doItems([1, 2, 3], String, async (client, items) => {
        for (const item of items) await client.query('select 1 / (2 - $1::integer)', [item]);
        done.push(...items);
      }),
    ),
  );
  await time.advance(1_000, 1);
  const { rows } = await pool.query('select job, item, error from set_aside');
  expect(rows).toEqual([{ job: 'sweep', item: '2', error: '22012' }]);
  expect([done, alerts.length]).toEqual([[1, 3, 1, 3], 1]);
  await jobs.stop();
});

test('jobs stop even if one waits for a third party and another for a locked table', async () => {
  const { jobs, time } = aProcess();
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('lock table set_aside');
  jobs.start(job(() => new Promise(() => undefined), { name: 'third-party' }));
  const waiting = vi.fn(async (turn: Turn) => {
    await turn.transaction((client) => client.query('select from set_aside'));
  });
  jobs.start(job(waiting, { name: 'lock' }));
  await vi.waitFor(() => expect(waiting).toHaveBeenCalled());
  const stopping = jobs.stop();
  // `stop` waits 5 s for running jobs, and then 1 s to release the leases.
  for (const ms of [5_000, 1_000]) {
    await vi.waitFor(() => expect(time.pauses()).toEqual([ms]));
    await time.advance(ms, 0);
  }
  await stopping;
  await holder.query('rollback');
  holder.release();
});

test('a daily job runs again on the same day only if the first run failed', async () => {
  const { jobs, time } = aProcess();
  const run = vi.fn(async () => undefined);
  run.mockRejectedValueOnce(new Error('failed'));
  jobs.start(job(run, { isDaily: true }));
  await time.advance(3_000, 1);
  expect(run).toHaveBeenCalledTimes(2);
  await pool.query(`update jobs set done_at = now() - interval '1 day'`);
  await time.advance(1_000, 1);
  expect(run).toHaveBeenCalledTimes(3);
  // Simulates a process with a wrong clock, which recorded a run in the next year.
  await pool.query(`update jobs set done_at = now() + interval '1 year'`);
  await time.advance(1_000, 1);
  expect(run).toHaveBeenCalledTimes(4);
  await jobs.stop();
});
