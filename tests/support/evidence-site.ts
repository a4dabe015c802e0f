/** A site that makes evidence packs. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { serverForTests } from './server.ts';

/**
 * Starts a server with a signing key of its own, beside a sandbox that takes its leads, for all tests of a file.
 *
 * @param more additional settings
 */
export async function siteWithEvidence(more: NodeJS.ProcessEnv = {}) {
  const { privateKey } = generateKeyPairSync('ed25519');
  const evidenceKey = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const sandbox = await startSandbox();
  const site = serverForTests(() => ({
    ...sandboxEnvironment(sandbox.url, sandbox.credentials),
    DELIVERY_CONCURRENCY: '4',
    EVIDENCE_KEY: evidenceKey,
    ...more,
  }));
  afterAll(() => sandbox.close());
  return { site, sandbox, evidenceKey };
}
