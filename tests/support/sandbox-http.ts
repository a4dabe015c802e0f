import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { createOutgoingHttp, type OutgoingHttp } from '../../src/server/platform/outgoing-http.ts';

/** Provides a sandbox and its client for the tests of a file. Each test begins with a reset. */
export function sandboxForTests(options: SandboxOptions = {}): {
  readonly http: OutgoingHttp;
  readonly sandbox: Sandbox;
} {
  const http = createOutgoingHttp({ allowPrivateNetworks: true });
  let sandbox: Sandbox | undefined;
  beforeAll(async () => {
    sandbox = await startSandbox(options);
  });
  afterEach(() => sandbox?.reset());
  afterAll(async () => {
    await sandbox?.close();
    await http.close();
  });
  return {
    http,
    get sandbox() {
      if (!sandbox) throw new Error('the sandbox runs in tests only');
      return sandbox;
    },
  };
}
