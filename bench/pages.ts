import { startLeadServer } from './lead-server.ts';
import { load, reportLine } from './load.ts';
import { openConnections } from './poster.ts';

const CONNECTIONS = 32;
const surveyPath = '/survey/v4nv';

/**
 * Measures how many views of a survey page one process serves, compressed and as 304, and how long a server
 * with built pages takes to start, including its database.
 */
export async function benchPages(durationMs = 5_000): Promise<void> {
  const startedAtMs = performance.now();
  const server = await startLeadServer();
  const startMs = performance.now() - startedAtMs;
  const connections = await openConnections(server.url, CONNECTIONS);
  const request = (more: string) =>
    `GET ${surveyPath}?s1=bench HTTP/1.1\r\nhost: ${connections.host}\r\naccept-encoding: br\r\n${more}\r\n`;
  const view = async (text: string, expected: number) => {
    const status = await connections.send(text);
    if (status !== expected) throw new Error(`answered ${status}`);
  };
  try {
    const page = await fetch(`${server.url}${surveyPath}`, {
      headers: { 'accept-encoding': 'br' },
    });
    await page.arrayBuffer();
    const etag = page.headers.get('etag') ?? '';
    const again = request(`if-none-match: ${etag}\r\n`);
    console.log(`Views of ${surveyPath}, ${CONNECTIONS} connections (target: 2000/s):`);
    const whole = await load(CONNECTIONS, durationMs, () => view(request(''), 200));
    console.log(reportLine('whole, from memory, brotli', whole));
    const unchanged = await load(CONNECTIONS, durationMs, () => view(again, 304));
    console.log(reportLine('304, not changed', unchanged));
    console.log(
      `  the server listened after ${(startMs / 1000).toFixed(2)} s, with a new database (target: under 2 s)`,
    );
  } finally {
    connections.close();
    await server.stop();
  }
}
