/**
 * A program that runs only the embedded database of a directory, so that tests can kill the
 * database.
 */
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';

const dataDir = process.argv[2] ?? '';
const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }, pino.destination(2));

try {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  console.log(JSON.stringify({ connectionString: postgres.connectionString }));
  process.stdin.resume().once('end', () => void postgres.stop());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
