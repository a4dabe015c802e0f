import type { APIRoute } from 'astro';
import { laterSheet } from '../later-sheet.ts';

/** For `scripts/build.ts`, which makes a file of it, and for `npm run dev`; it has no address on the site. */
export const GET: APIRoute = () =>
  new Response(laterSheet.css, { headers: { 'content-type': 'text/css; charset=utf-8' } });
