/** HAProxy in front of several servers, where it is installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

/** The program; undefined if there is none. */
export const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find(existsSync);

/**
 * Starts HAProxy on loopback: each request goes to the next server that is ready.
 * @param ports of the servers, which may be down
 */
export async function startHaproxy(ports: readonly number[]) {
  const port = await freePort();
  const dir = await mkdtemp(path.join(tmpdir(), 'funnel-haproxy-'));
  const file = path.join(dir, 'haproxy.cfg');
  const servers = ports.map(
    (each, at) => `  server process${at} 127.0.0.1:${each} check inter 200`,
  );
  await writeFile(
    file,
    `defaults
  mode http
  option forwardfor
  option redispatch 1
  retry-on conn-failure
  http-reuse never
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend site
  bind 127.0.0.1:${port}
  default_backend processes
backend processes
  balance roundrobin
  option httpchk GET /readyz
  http-response set-header x-process %s
${servers.join('\n')}
`,
  );
  const child = spawn(haproxy as string, ['-db', '-f', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true });
    },
  };
}
