/** `npm run sandbox`: runs the sandbox alone, on SANDBOX_PORT. */
import { sandboxEnvironment } from './environment.ts';
import { startSandbox } from './server.ts';

const { url } = await startSandbox({ port: Number(process.env.SANDBOX_PORT ?? 4010) });
console.log(`The sandbox listens on ${url}. ${url}/_sandbox/received lists what it received.`);
console.log('To use it, start the server with:');
for (const setting of Object.entries(sandboxEnvironment(url)))
  console.log(`  ${setting.join('=')}`);
