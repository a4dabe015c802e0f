import type { APIRoute } from 'astro';
import { laterSheet } from '../later-sheet.ts';
import { laterParts } from '../sheet-address.ts';

/**
 * Serves the later style sheet named by `part`, for `npm run dev` and for `scripts/build.ts`, which writes it to a
 * file.
 */
export const GET: APIRoute = ({ url }) => {
  const part = laterParts.find((each) => each === url.searchParams.get('part'));
  const headers = { 'content-type': 'text/css; charset=utf-8' };
  return new Response(part && laterSheet(part).css, { headers });
};
