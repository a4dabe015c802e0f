import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { freePort } from './free-port.ts';
import { startProgram } from './program.ts';

/** The path of PgBouncer, or undefined if PgBouncer is not installed. */
export const pgbouncer = [process.env.PGBOUNCER, 'pgbouncer', '/usr/sbin/pgbouncer'].find(
  (program) => {
    try {
      if (program) execFileSync(program, ['--version'], { stdio: 'ignore' });
      return Boolean(program);
    } catch {
      return false;
    }
  },
);

/** Starts PgBouncer in transaction mode. The small pool makes clients share connections. */
export async function startPgbouncer(connectionString: string, poolSize = 3) {
  const { hostname, port, username, password, pathname } = new URL(connectionString);
  const listenPort = await freePort();
  const dir = await mkdtemp(path.join(tmpdir(), 'funnel-pgbouncer-'));
  await chmod(dir, 0o755);
  const file = path.join(dir, 'pgbouncer.ini');
  const decoded = [username, password].map(decodeURIComponent);
  const config = `[databases]
* = host=${hostname} port=${port || 5432} user=${decoded[0]} password=${decoded[1]}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 400
server_login_retry = 1
`;
  await writeFile(file, config);
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const running = startProgram([pgbouncer as string, ...asUser, file], {
    address: /process up: (\S+)/,
  });
  await running.url;
  return {
    connectionString: `postgres://${username}:any@127.0.0.1:${listenPort}${pathname}`,
    output: running.output,
    async stop() {
      await running.end('SIGINT');
      await rm(dir, { recursive: true });
    },
  };
}
