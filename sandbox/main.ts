import { Command, InvalidArgumentError, Option } from 'commander';
import { sandboxEnvironment } from './environment.ts';
import { startSandbox } from './server.ts';

function readPort(value: string): number {
  if (/^\d+$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('expected a port, 0 to 65535 (0: any free one)');
}

const { port } = new Command()
  .name('sandbox')
  .description(
    'Simulates every third party (lead ingest, phone and e-mail checks, SMS, webhooks, trackers) on one ' +
      'port of this machine, with strict checks of their wire formats. /_sandbox/received, /effects, ' +
      '/violations and /codes list what it received; POST /_sandbox/fail makes a service fail.',
  )
  .addOption(
    new Option('-p, --port <port>', 'the port to listen on')
      .env('SANDBOX_PORT')
      .default(4010)
      .argParser(readPort),
  )
  .parse()
  .opts<{ port: number }>();

try {
  const sandbox = await startSandbox({ port, log: console.log });
  console.log(`The sandbox listens on ${sandbox.url}`);
  console.log('To use it, start the server with:');
  for (const setting of Object.entries(sandboxEnvironment(sandbox.url))) {
    console.log(`  ${setting.join('=')}`);
  }
  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(
    code === 'EADDRINUSE'
      ? `Port ${port} is taken. Choose another one with --port, or set SANDBOX_PORT.`
      : `The sandbox cannot start: ${message}`,
  );
  process.exit(1);
}
