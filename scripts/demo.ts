/**
 * `npm run demo`: the server as `npm start` runs it, with the sandbox as every third party. What a
 * setting of the environment says already stays.
 */
import { sandboxEnvironment } from '../sandbox/environment.ts';
import { startSandbox } from '../sandbox/server.ts';
import { failStart, main } from '../src/server/main.ts';
import { buildPages } from './build.ts';

/** Fixed, so that a demo that is started again finds the leads that still wait for it. */
const sandboxPort = Number(process.env.SANDBOX_PORT || 4010);

const sandbox = await startSandbox({ port: sandboxPort }).catch((error: NodeJS.ErrnoException) =>
  failStart(
    new Error(
      `the sandbox cannot use port ${process.env.SANDBOX_PORT || 4010} (${error.code}): set SANDBOX_PORT to a free one`,
    ),
  ),
);
const demo = {
  ...sandboxEnvironment(sandbox.url, sandbox.credentials),
  // Shows the partner's page to every disqualified visitor.
  SPECIAL_STATES: 'none',
};
for (const [name, value] of Object.entries(demo)) process.env[name] ??= value;
if (await buildPages()) console.log('Pages built.');
console.log(`Sandbox, what the third parties received: ${sandbox.url}`);
console.log('Survey: /survey/v4nv?s1=demo on the address below');
await main().catch(failStart);
