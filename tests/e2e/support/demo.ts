import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCredentials } from '../../../sandbox/credentials.ts';
import { endProgram, startProgram } from './stack.ts';

/** `npm run demo` as it runs, with everything that it said. */
export type Demo = {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly operationsUrl: string;
  /** The survey that it names, with its click: path and query. */
  readonly survey: string;
  readonly dataDir: string;
  readonly output: () => string;
  stop(): Promise<void>;
};

/** Starts the demo as its users do, on free ports and data of its own, and with a log that says everything. */
export async function startDemo(): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
  // One setting of an account is given, as by somebody who tries a key: the sandbox gives the others.
  const INGEST_KEY = defaultCredentials.lpKey;
  const env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'trace', INGEST_KEY };
  writeFileSync(join(dataDir, '.env'), 'SANDBOX_PORT=0\n');
  // The last thing that a start says, in the log.
  const address = /"url":"([^"]+)".*"msg":"Started"/;
  const scripts = join(import.meta.dirname, '..', '..', '..', 'scripts');
  const program = [join(scripts, 'server.sh'), join(scripts, 'demo.ts')];
  // Where its `.env` is.
  const options = { command: 'sh', from: dataDir, address };
  const { child, url, output } = await startProgram(program, env, options);
  const said = (what: RegExp) => what.exec(output())?.[1] ?? '';
  return {
    url,
    sandboxUrl: said(/^Received: (\S+)/m),
    operationsUrl: said(/"operationsUrl":"([^"]+)"/),
    survey: said(/^Survey: (\S+)/m),
    dataDir,
    output,
    async stop() {
      await endProgram(child, 'SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
