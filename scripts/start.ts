/** `npm start`: builds the pages if they are missing or stale, then runs the server. */
import { failStart, main } from '../src/server/main.ts';
import { buildPages } from './build.ts';

if (buildPages()) console.log('Pages built.');
await main().catch(failStart);
