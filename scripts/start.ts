/** `npm start`: builds outdated pages, then runs the server. */
import { failStart, main } from '../src/server/main.ts';
import { buildPages } from './build.ts';

process.env.NODE_ENV ||= 'production';
if (buildPages()) console.log('Pages built.');
await main().catch(failStart);
