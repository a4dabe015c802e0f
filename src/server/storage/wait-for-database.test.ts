import { connect as connectTo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, inject, it, onTestFinished } from 'vitest';
import { waitForDatabase } from './wait-for-database.ts';

const { connectionString } = inject('testCluster');

/** Waits without pausing; returns the log's lines and the error that ended the wait, if any. */
async function wait(url: string) {
  const lines: string[] = [];
  const pauses: number[] = [];
  const error = await waitForDatabase({
    connectionString: url,
    log: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
    pause: async (ms) => pauses.push(ms),
  }).catch((thrown: Error) => thrown.message);
  return { error, lines, pauses };
}

/** Returns the address of a server that answers each connection as given, in turn; the last answer stays. */
async function answering(...answers: ((socket: Socket) => void)[]): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    socket.once('data', (startup) => {
      socket.pause();
      socket.unshift(startup);
      answer?.(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(connectionString);
  const address = server.address();
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return url.href;
}

/** Refuses a connection as PostgreSQL and poolers do. */
const refusing = (code: string, message: string) => (socket: Socket) => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E____');
  head.writeInt32BE(fields.length + 4, 1);
  socket.end(Buffer.concat([head, fields]));
};

const changed = (change: (url: URL) => void) => {
  const url = new URL(connectionString);
  change(url);
  return url.href;
};

it.each([
  [
    'a wrong password',
    (url: URL) => Object.assign(url, { password: 'tulip' }),
    /Correct the user or/,
  ],
  [
    'no such database',
    (url: URL) => Object.assign(url, { pathname: '/none' }),
    /Create the database/,
  ],
])('%s ends the start at once, without the password', async (_, change, text) => {
  const url = changed(change);
  const { error, lines, pauses } = await wait(url);
  expect(error).toMatch(/^The database at DATABASE_URL cannot be used: \S.+\. \S.+\.$/);
  expect(error).toMatch(text);
  expect(error).not.toContain(new URL(url).password);
  expect([lines, pauses]).toEqual([[], []]);
});

it('the rest of a password with a slash is no name of a database', async () => {
  const { error } = await wait(changed((url) => Object.assign(url, { pathname: '/lip@host/db' })));
  expect(error).toMatch(/database "…" does not exist/);
});

it('each failure is logged with its reason, until the database answers', async () => {
  const { hostname, port } = new URL(connectionString);
  const url = await answering(
    refusing('57P03', 'the database system is starting up'),
    (socket) => socket.destroy(),
    (socket) => {
      const database = connectTo({ host: hostname, port: Number(port) });
      socket.pipe(database).pipe(socket);
    },
  );
  const { error, lines } = await wait(url);
  expect(error).toBeUndefined();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'The database does not answer yet: the database system is starting up; trying again',
    expect.stringMatching(/^The database does not answer yet: \S.+; trying again$/),
  ]);
});
