import type { APIRoute } from 'astro';
import { laterSheet } from '../later-sheet.ts';

/** The later style sheet for `npm run dev`, and for `scripts/build.ts`, which makes a file of it. */
export const GET: APIRoute = () =>
  new Response(laterSheet.css, { headers: { 'content-type': 'text/css; charset=utf-8' } });
