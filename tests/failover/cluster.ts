/** Starts PostgreSQL with a synchronous standby, as the files in `deploy/failover/` configure. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { databaseProcesses } from '../../src/server/platform/postgres/postmaster.ts';
import { until } from '../support/delivery.ts';
import { freePort } from '../support/free-port.ts';
import { query } from '../support/postgres.ts';
import { nodePath, root } from '../support/program.ts';
import { processTree } from '../support/server-process.ts';

const deploy = path.join(root, 'deploy/failover');
const isRoot = process.getuid?.() === 0;
/** Starts programs as the user postgres, because PostgreSQL refuses to run as root. */
const asPostgres = isRoot
  ? 'setpriv --reuid=postgres --regid=postgres --clear-groups --'.split(' ')
  : [];
const PASSWORD = 'only-for-this-test';

/** The reason why the tests of this folder cannot run here, or undefined. */
export const missing = whatIsMissing();
if (missing) console.log(`The failover tests are skipped: ${missing}`);

function whatIsMissing(): string | undefined {
  const programs = ['patroni', 'etcd', 'haproxy', ...asPostgres.slice(0, 1)];
  const found = (name: string) =>
    nodePath.split(path.delimiter).some((dir) => existsSync(path.join(dir, name)));
  const absent = programs.filter((name) => !found(name));
  if (!existsSync('/usr/lib/postgresql/15/bin/postgres')) absent.push('postgresql-15');
  return absent.length === 0 ? undefined : `Debian's ${absent.join(', ')} missing`;
}

export const nodeNames = ['node1', 'node2'] as const;
export type NodeName = (typeof nodeNames)[number];

type Member = {
  readonly name: NodeName;
  /** `leader`, `sync_standby` or `replica`. */
  readonly role: string;
  readonly state: string;
};

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Returns the shell commands that the runbook lists for an event. */
function commandsOf(event: string): readonly string[] {
  const text = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
  const [, section] = text.split(`\n### ${event}\n`);
  const blocks = section?.split(/\n##+ /, 1)[0]?.matchAll(/^ *```sh\n(.*?)^ *```$/gms) ?? [];
  const commands = [...blocks].flatMap(([, block = '']) => block.trim().split(/\n */));
  if (commands.length === 0) throw new Error(`The runbook has no commands for "${event}"`);
  return commands;
}

export const otherThan = (name: NodeName): NodeName => (name === 'node1' ? 'node2' : 'node1');

/** Starts both nodes with etcd and HAProxy, and waits for the synchronous standby. */
export async function startCluster() {
  const base = await mkdtemp(path.join(tmpdir(), 'funnel-failover-'));
  await chmod(base, 0o711);
  const running = new Map<string, ChildProcess>();
  const ports = {
    etcd: await freePort(),
    etcdPeer: await freePort(),
    primary: await freePort(),
    standby: await freePort(),
    node1: { sql: await freePort(), api: await freePort() },
    node2: { sql: await freePort(), api: await freePort() },
  };
  const at = (port: number) => `127.0.0.1:${port}`;
  const dirOf = (name: string) => path.join(base, name);
  const logFile = (name: string) => path.join(base, `${name}.log`);
  const urlAt = (port: number, role = 'leads', database = 'leads') =>
    `postgres://${role}:${PASSWORD}@${at(port)}/${database}`;

  async function run(name: string, command: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const log = await open(logFile(name), 'a');
    const [program = '', ...args] = [...asPostgres, ...command];
    const child = spawn(program, args, {
      cwd: '/',
      env: { PATH: nodePath, HOME: dirOf(name), LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    await log.close();
    running.set(name, child);
  }

  async function makeDir(name: string): Promise<void> {
    await mkdir(dirOf(name), { recursive: true });
    if (isRoot) execFileSync('chown', ['postgres:postgres', dirOf(name)]);
  }

  const startEtcd = () =>
    run('etcd', [
      ...['etcd', '--name', 'default', '--data-dir', dirOf('etcd')],
      ...['--listen-client-urls', `http://${at(ports.etcd)}`],
      ...['--advertise-client-urls', `http://${at(ports.etcd)}`],
      ...['--listen-peer-urls', `http://${at(ports.etcdPeer)}`],
      ...['--initial-advertise-peer-urls', `http://${at(ports.etcdPeer)}`],
      ...['--initial-cluster', `default=http://${at(ports.etcdPeer)}`],
    ]);

  const patroniEnv = {
    PATRONI_ETCD3_HOSTS: at(ports.etcd),
    PATRONI_RESTAPI_USERNAME: 'patroni',
    PATRONI_RESTAPI_PASSWORD: PASSWORD,
  };
  const start = (name: NodeName) =>
    run(
      name,
      [
        '/usr/bin/python3',
        path.join(deploy, 'mended-patroni.py'),
        path.join(deploy, 'patroni.yaml'),
      ],
      {
        ...patroniEnv,
        PATRONI_NAME: name,
        PATRONI_RESTAPI_LISTEN: at(ports[name].api),
        PATRONI_RESTAPI_CONNECT_ADDRESS: at(ports[name].api),
        PATRONI_POSTGRESQL_LISTEN: at(ports[name].sql),
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: at(ports[name].sql),
        PATRONI_POSTGRESQL_DATA_DIR: path.join(dirOf(name), 'data'),
        PATRONI_POSTGRESQL_PGPASS: path.join(dirOf(name), 'pgpass'),
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
      },
    );

  async function members(): Promise<readonly Member[]> {
    for (const name of nodeNames) {
      try {
        const answer = await fetch(`http://${at(ports[name].api)}/cluster`, {
          signal: AbortSignal.timeout(2_000),
        });
        return ((await answer.json()) as { members: Member[] }).members;
      } catch {
        // If this node does not answer, the loop continues with the other node.
      }
    }
    return [];
  }
  const find = async (isIt: (all: readonly Member[]) => Member | undefined): Promise<NodeName> =>
    (await until(async () => isIt(await members()), 180_000, 200)).name;
  const leaderOf = (all: readonly Member[], name?: NodeName) =>
    all.find(
      (each) =>
        each.role === 'leader' && each.state === 'running' && each.name === (name ?? each.name),
    );

  async function signal(name: string, which: NodeJS.Signals, of: 'all' | 'postgres' = 'all') {
    const patroni = running.get(name)?.pid;
    const database = await databaseProcesses(path.join(dirOf(name), 'data'));
    const others = of === 'all' && patroni !== undefined ? processTree(patroni) : [];
    for (const pid of [...others, ...database.map((each) => each.pid)]) {
      try {
        process.kill(pid, which);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }

  async function stop(): Promise<void> {
    for (const name of nodeNames) await signal(name, 'SIGKILL');
    for (const child of running.values()) child.kill('SIGKILL');
    // Also kills the databases, because a node may have started a database before the node was
    // killed.
    for (const name of nodeNames) {
      await until(async () => {
        await signal(name, 'SIGKILL', 'postgres');
        return (await databaseProcesses(path.join(dirOf(name), 'data'))).length === 0;
      });
    }
    if (!process.env.FAILOVER_KEEP) await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Runs a command of the runbook with the environment variables of the container. */
  async function inContainer(command: string): Promise<void> {
    const [program = '', ...args] = command.split(' ');
    const env = {
      PATH: nodePath,
      HOME: base,
      LANG: 'C.UTF-8',
      ...patroniEnv,
      PATRONICTL_CONFIG_FILE: path.join(deploy, 'patroni.yaml'),
      ETCDCTL_ENDPOINTS: at(ports.etcd),
    };
    await promisify(execFile)(program, args, { env });
  }

  /** Runs a line of the runbook. Processes take the place of containers. */
  async function followLine(
    line: string,
    names: Record<string, NodeName>,
    seen?: () => Promise<unknown>,
  ): Promise<void> {
    const [, verb, first = '', rest = ''] =
      /^(failover (?:exec|up -d|unpause|restart|rm -sf)|docker volume rm) (\S+) ?(.*)$/.exec(
        line,
      ) ?? [];
    const name = names[first.replace('failover_', '')];
    if (verb === 'failover exec') {
      const command = rest.replace(/node\d/g, (each) => names[each] ?? each);
      await inContainer(command.replace('/data', dirOf(name ?? 'etcd')));
      if (command === 'patronictl list') await seen?.();
    } else if (line === 'failover restart etcd1 etcd2 etcd3') {
      const etcd = running.get('etcd');
      const ended = etcd && once(etcd, 'exit');
      etcd?.kill('SIGKILL');
      await ended;
      await startEtcd();
    } else if (name === undefined) throw new Error(`The runbook has an unknown command: ${line}`);
    else if (verb === 'failover up -d') await start(name);
    else if (verb === 'failover unpause') await signal(name, 'SIGCONT');
    else if (verb === 'failover rm -sf') await signal(name, 'SIGKILL');
    else if (verb === 'docker volume rm') {
      await rm(path.join(dirOf(name), 'data'), { recursive: true, force: true, maxRetries: 5 });
    } else throw new Error(`The runbook has an unknown command: ${line}`);
  }

  const cluster = {
    /** The URL of the current primary, to which HAProxy forwards. */
    url: urlAt(ports.primary),
    standbyUrl: urlAt(ports.standby),
    /** Returns the URL of one node's database, without HAProxy. */
    nodeUrl: (name: NodeName) => urlAt(ports[name].sql),
    members,
    /** Waits until the standby is synchronous. Returns the name of the primary. */
    synchronous: () =>
      find((all) => {
        const standby = all.find(({ role, state }) => role === 'sync_standby' && isUp(state));
        return standby && leaderOf(all);
      }),
    /** Waits until the node with this name leads. Default: until any node leads. */
    ledBy: (name?: NodeName) => find((all) => leaderOf(all, name)),
    signal,
    /** Reads one of Patroni's metrics from each node that runs. */
    async metric(name: string): Promise<readonly number[]> {
      const values: number[] = [];
      for (const node of nodeNames) {
        const answer = await fetch(`http://${at(ports[node].api)}/metrics`, {
          signal: AbortSignal.timeout(2_000),
        }).catch(() => undefined);
        const [, value] =
          new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec((await answer?.text()) ?? '') ?? [];
        if (value !== undefined) values.push(Number(value));
      }
      return values;
    },
    /**
     * Runs the commands that the runbook lists for an event. `seen` resolves when the nodes have
     * the required state.
     */
    async follow(event: string, node1: NodeName, seen?: () => Promise<unknown>): Promise<void> {
      const names: Record<string, NodeName> = { node1, node2: otherThan(node1) };
      for (const line of commandsOf(event)) await followLine(line, names, seen);
    },
    dirOf,
    logOf: async (name: NodeName) => (await readFile(logFile(name), 'utf8')).slice(-6_000),
    stop,
  };

  try {
    for (const name of ['etcd', 'haproxy', ...nodeNames]) await makeDir(name);
    await startEtcd();
    await start('node1');
    await run('haproxy', ['haproxy', '-db', '-f', path.join(deploy, 'haproxy.cfg')], {
      PRIMARY_BIND: at(ports.primary),
      STANDBY_BIND: at(ports.standby),
      NODE1: at(ports.node1.sql),
      NODE1_API_PORT: String(ports.node1.api),
      NODE2: at(ports.node2.sql),
      NODE2_API_PORT: String(ports.node2.api),
    });
    await cluster.ledBy('node1');
    const admin = urlAt(ports.node1.sql, 'postgres', 'postgres');
    await query(admin, `create role leads login password '${PASSWORD}'`);
    await query(admin, 'create database leads owner leads');
    await start('node2');
    await cluster.synchronous();
    await until(async () => query(cluster.url, 'select 1').catch(() => undefined));
    return cluster;
  } catch (error) {
    for (const name of nodeNames) console.log(await cluster.logOf(name).catch(() => ''));
    await stop();
    throw error;
  }
}

/** Patroni 3.1 and later report a running standby as `streaming`. */
const isUp = (state: string) => state === 'running' || state === 'streaming';
