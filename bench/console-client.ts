/** A signed-in operator's browser, as far as the server notices it. */
import type pg from 'pg';
import type { ConsoleEvent } from '../src/contract/console/work.ts';
import { invite } from '../src/server/operators/access/people.ts';

/** An operator of the console who is signed in as an admin. */
export type Operator = {
  readonly origin: string;
  /** The session's cookie: `name=value`. */
  readonly cookie: string;
  /** Reads an answer in JSON. Throws unless the server answers 200. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  /** Opens the stream of events. @returns what closes it */
  follow(onEvent: (kind: ConsoleEvent['kind']) => void): Promise<() => void>;
};

/** Signs an admin in to the console on this port. */
export async function signIn(pool: pg.Pool, port: number): Promise<Operator> {
  const origin = `http://localhost:${port}`;
  const own = { 'x-console': '1', 'content-type': 'application/json', origin };
  const { secret } = await invite(pool, {
    ...{ email: 'bench@example.com', role: 'admin', actor: 'bench' },
  });
  const answer = await fetch(`${origin}/api/sign-in/link`, {
    ...{ method: 'POST', headers: own, body: JSON.stringify({ secret }) },
  });
  const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';');
  if (!answer.ok || !cookie) throw new Error(`the sign-in was answered ${answer.status}`);
  const headers = { ...own, cookie };

  async function ask<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(origin + path, { headers, ...init });
    if (!response.ok) {
      throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    }
    return (await response.json()) as T;
  }

  return {
    origin,
    cookie,
    get: (path) => ask(path, {}),
    post: (path, body) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
    async follow(onEvent) {
      const leaving = new AbortController();
      const { signal } = leaving;
      const { body, status } = await fetch(`${origin}/api/events`, { headers, signal });
      if (status !== 200 || !body) throw new Error(`the events were answered ${status}`);
      void readEvents(body, onEvent).catch(() => undefined);
      return () => leaving.abort();
    },
  };
}

async function readEvents(
  body: AsyncIterable<Uint8Array>,
  onEvent: (kind: ConsoleEvent['kind']) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('event: ')) onEvent(line.slice(7) as ConsoleEvent['kind']);
    }
  }
}

/** Returns the query of a period of the operators that ends today. */
export function lastDays(days: number): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
  const today = Date.now();
  return `from=${format.format(today - (days - 1) * 86_400_000)}&to=${format.format(today)}`;
}
