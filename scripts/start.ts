/** `npm start`: builds the pages if they are missing or stale, then runs the server, by default in production. */
import { failStart, main } from '../src/server/main.ts';
import { buildPages } from './build.ts';

process.env.NODE_ENV ||= 'production';
if (buildPages()) console.log('Pages built.');
await main().catch(failStart);
