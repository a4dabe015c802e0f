import { Command, InvalidArgumentError, Option } from 'commander';
import { sandboxEnvironment } from './environment.ts';
import { startSandbox } from './server.ts';

function port(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > 65_535) {
    throw new InvalidArgumentError('expected a port, 0 to 65535 (0: any free one)');
  }
  return number;
}

const command = new Command()
  .name('sandbox')
  .description(
    'Simulates every third party (lead ingest, phone and e-mail checks, SMS, webhooks, trackers) on one ' +
      'port of this machine, with strict checks of their wire formats. Its page shows the received ' +
      'requests and makes services fail; tests use /_sandbox/received, /effects, /violations and /fail.',
  )
  .addOption(
    new Option('-p, --port <port>', 'the port to listen on')
      .env('SANDBOX_PORT')
      .default(4010)
      .argParser(port),
  )
  .option('--quiet', 'do not print a line for each request')
  .parse();

const options = command.opts<{ port: number; quiet?: boolean }>();

try {
  const sandbox = await startSandbox({
    port: options.port,
    ...(options.quiet ? {} : { log: (line: string) => console.log(line) }),
  });
  const settings = Object.entries(sandboxEnvironment(sandbox.url, sandbox.credentials));
  console.log(`The sandbox listens on ${sandbox.url}`);
  console.log('To use it, start the server with:');
  for (const [name, value] of settings) console.log(`  ${name}=${value}`);

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void sandbox.close().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const taken = code === 'EADDRINUSE';
  console.error(
    taken
      ? `Port ${options.port} is taken. Choose another one with --port, or set SANDBOX_PORT.`
      : `The sandbox cannot start: ${message}`,
  );
  process.exit(1);
}
