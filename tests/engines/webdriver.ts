/**
 * Two real browsers besides Chromium, with one interface: WebKitGTK (Debian's `webkit2gtk-driver`) over
 * WebDriver, and Firefox over WebDriver BiDi. Playwright's own builds are not available everywhere.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../support/free-port.ts';

const START_TIMEOUT_MS = 60_000;

/** One window of one browser. */
export type EngineWindow = {
  goto(url: string): Promise<void>;
  /** Sets the page's size in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** Runs a function in the page. It may use only its argument, which is passed as JSON. */
  run<Given, Result>(
    work: (given: Given) => Result | Promise<Result>,
    given: Given,
  ): Promise<Result>;
  /** The errors in its pages that the driver reports. */
  errors(): readonly string[];
  /** Ends the browser and every process started for it. */
  close(): Promise<void>;
};

export type Engine = {
  readonly name: string;
  /** What is not installed, and how to install it; empty if everything is. */
  readonly missing: string;
  open(): Promise<EngineWindow>;
};

/** Returns the program's path, if it is installed. */
function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** A message bus without services: the desktop's portals would mount a file system in the browser's home. */
const bareBus = `<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

/** Starts WebKit in GTK. It needs a display and a message bus, so both are started. */
export function webKit(): Engine {
  const driver = findProgram('WebKitWebDriver');
  const [browser] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser');
  const display = findProgram('Xvfb');
  const bus = findProgram('dbus-run-session');
  const isHere = driver && browser && display && bus;
  return {
    name: 'WebKit',
    missing: isHere ? '' : 'apt-get install webkit2gtk-driver xvfb dbus-x11',
    async open() {
      if (!isHere) throw new Error('WebKit is not here');
      const home = mkdtempSync(join(tmpdir(), 'webkit-'));
      const started: ChildProcess[] = [];
      const close = async () => {
        for (const child of started.reverse()) await end(child);
        rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      };
      try {
        const screen = start(display, ['-displayfd', '3', '-screen', '0', '1280x1024x24'], home);
        started.push(screen);
        const number = await said(screen, /(\d+)/);
        const port = await freePort();
        const busConfig = join(home, 'bus.conf');
        writeFileSync(busConfig, bareBus);
        const command = ['--config-file', busConfig, '--', driver];
        const child = start(bus, [...command, '--host=127.0.0.1', `--port=${port}`], home, {
          DISPLAY: `:${number}`,
          LIBGL_ALWAYS_SOFTWARE: '1',
        });
        started.push(child);
        const session = await webDriverSession(`http://127.0.0.1:${port}`, {
          'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
        });
        return {
          goto: (url) => session('POST', '/url', { url }).then(() => undefined),
          resize: (width, height) =>
            session('POST', '/window/rect', { width, height }).then(() => undefined),
          async run(work, given) {
            const answer = await session('POST', '/execute/async', {
              script: `const done = arguments[1];
                Promise.resolve(arguments[0]).then(${work}).then(
                  (value) => done({ value }), (error) => done({ error: String(error) }));`,
              args: [given],
            });
            return resultOf(answer);
          },
          errors: () => [],
          async close() {
            await session('DELETE', '').catch(() => undefined);
            await close();
          },
        };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

/** Starts a WebDriver session, and returns the function that sends its commands. */
async function webDriverSession(driver: string, capabilities: Record<string, unknown>) {
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(driver + path, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (answer.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
  await until(() => send('GET', '/status'));
  const { sessionId } = (await send('POST', '/session', {
    capabilities: { alwaysMatch: capabilities },
  })) as { sessionId: string };
  const session = (method: string, path: string, body?: unknown) =>
    send(method, `/session/${sessionId}${path}`, body);
  await session('POST', '/timeouts', { script: 90_000, pageLoad: 90_000 });
  return session;
}

/** Starts Firefox without a window. */
export function firefox(): Engine {
  const program = findProgram('firefox-esr', 'firefox');
  return {
    name: 'Firefox',
    missing: program ? '' : 'apt-get install firefox-esr',
    async open() {
      if (!program) throw new Error('Firefox is not here');
      const home = mkdtempSync(join(tmpdir(), 'firefox-'));
      const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', home];
      const child = start(program, [...args, 'about:blank'], home);
      const close = async () => {
        await end(child);
        rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      };
      try {
        const address = await said(child, /WebDriver BiDi listening on (ws:\/\/\S+)/);
        const errors: string[] = [];
        const { send, hangUp } = await biDi(`${address}/session`, (entry) => {
          if (entry.level === 'error') errors.push(entry.text ?? '');
        });
        await send('session.new', { capabilities: {} });
        await send('session.subscribe', { events: ['log.entryAdded'] });
        const { contexts } = (await send('browsingContext.getTree', {})) as {
          contexts: { context: string }[];
        };
        const context = contexts[0]?.context;
        return {
          async goto(url) {
            await send('browsingContext.navigate', { context, url, wait: 'complete' });
          },
          async resize(width, height) {
            await send('browsingContext.setViewport', { context, viewport: { width, height } });
          },
          async run(work, given) {
            const { result } = (await send('script.callFunction', {
              functionDeclaration: `(given) => Promise.resolve(JSON.parse(given)).then(${work}).then(
                (value) => JSON.stringify({ value }),
                (error) => JSON.stringify({ error: String(error) }))`,
              arguments: [{ type: 'string', value: JSON.stringify(given ?? null) }],
              target: { context },
              awaitPromise: true,
            })) as { result: { value: string } };
            return resultOf(JSON.parse(result.value));
          },
          errors: () => errors,
          async close() {
            hangUp();
            await close();
          },
        };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

type LogEntry = { readonly level: string; readonly text: string | null };

/** Opens a connection that sends numbered commands and reports log entries. */
async function biDi(address: string, onEntry: (entry: LogEntry) => void) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`cannot connect to ${address}`));
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.method === 'log.entryAdded') onEntry(message.params);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'success') asked?.resolve(message.result);
    else if (message.type === 'error') asked?.reject(new Error(message.message));
  };
  socket.onclose = () => {
    for (const { reject } of waiting.values())
      reject(new Error('the browser closed the connection'));
  };
  return {
    send(method: string, params: unknown): Promise<unknown> {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
    hangUp: () => socket.close(),
  };
}

function resultOf<Value>(answer: unknown): Value {
  const { value, error } = answer as { value: Value; error?: string };
  if (error !== undefined) throw new Error(error);
  return value;
}

/** Starts a program in its own process group, so that its children end with it. */
function start(
  program: string,
  args: readonly string[],
  home: string,
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn(program, args, {
    detached: true,
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, NO_AT_BRIDGE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** Waits until a program's output matches. */
function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => reject(new Error(`${child.spawnfile} ${why}:\n${output}`));
    const timer = setTimeout(() => fail('printed nothing in time'), START_TIMEOUT_MS);
    const ended = () => {
      clearTimeout(timer);
      fail('ended');
    };
    child.once('exit', ended).once('error', ended);
    for (const stream of [child.stdout, child.stderr, child.stdio[3]]) {
      (stream as NodeJS.ReadableStream | null)?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = pattern.exec(output)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        child.off('exit', ended);
        resolve(found);
      });
    }
  });
}

async function until(work: () => Promise<unknown>): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
