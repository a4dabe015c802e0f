import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCredentials } from '../../../sandbox/credentials.ts';
import { endProgram, startProgram } from './stack.ts';

/** A running `npm run demo`. */
export type Demo = {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly operationsUrl: string;
  /** The survey address that the demo printed: path and query. */
  readonly survey: string;
  readonly dataDir: string;
  readonly output: () => string;
  stop(): Promise<void>;
};

/** Starts the demo as its users do, on free ports, with its own data and a log at every level. */
export async function startDemo(): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
  // The user has set one setting of an account; the sandbox adds the others.
  const INGEST_KEY = defaultCredentials.lpKey;
  const env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'trace', INGEST_KEY };
  writeFileSync(join(dataDir, '.env'), 'SANDBOX_PORT=0\n');
  // The start's last log line.
  const address = /"url":"([^"]+)".*"msg":"Started"/;
  const scripts = join(import.meta.dirname, '..', '..', '..', 'scripts');
  const program = [join(scripts, 'server.sh'), join(scripts, 'demo.ts')];
  // The folder with `.env`.
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
