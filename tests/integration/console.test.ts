/** Tests the console of a running server. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { consoleLine } from '../../src/server/wiring/start-summary.ts';
import { serverForTests } from '../support/server.ts';

const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
const running = serverForTests(() => ({ CONSOLE_PORT: 'auto', BUYERS_URL: 'http://127.0.0.1:9' }), {
  log,
});

/** Signs in with a link's secret. Returns the response, and the headers for later requests. */
async function signIn(url: string, secret: string) {
  const own = { 'content-type': 'application/json', 'x-console': '1' };
  const body = JSON.stringify({ secret });
  const answer = await fetch(`${url}/api/sign-in/link`, { method: 'POST', headers: own, body });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { status: answer.status, headers: { ...own, cookie } };
}

test('the link that the server prints when it starts signs in the first admin', async () => {
  const { server } = running;
  const [about, text] = await consoleLine(server.console);
  const [, url = '', secret = ''] =
    /^(http:\/\/localhost:\d+)\/sign-in#([\w-]{43}) /.exec(text) ?? [];
  expect([about, url]).toEqual(['Console', server.console?.url]);
  const [first, second] = [await signIn(url, secret), await signIn(url, secret)];
  expect([first.status, second.status]).toEqual([204, 409]);
  const { cookie } = first.headers;
  const me = await fetch(`${url}/api/me`, { headers: { cookie } });
  expect(await me.json()).toMatchObject({ email: 'admin@localhost', role: 'admin' });

  const system = await fetch(`${url}/api/system`, { headers: { cookie } });
  expect(await system.json()).toContainEqual(
    expect.objectContaining({ name: 'buyers', state: 'real' }),
  );

  // Browsers send the console's cookie to the site, too. The site must ignore the cookie.
  const site = await fetch(`${server.url}/api/me`, { headers: { cookie } });
  expect(site.status).toBe(404);
  const said = lines.join('');
  expect(said).toContain('console request');
  for (const each of [secret, cookie.split('=')[1] ?? secret]) expect(said).not.toContain(each);
});
