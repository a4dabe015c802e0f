/** Packs the leads of the database in its first argument, as two days later. */
import pg from 'pg';
import { packPortion } from '../../src/server/storage/packing/job.ts';

const pool = new pg.Pool({ connectionString: process.argv[2] });
const later = new Date(Date.now() + 2 * 86_400_000);
while ((await packPortion(pool, 'leads', later)) !== undefined);
await pool.end();
