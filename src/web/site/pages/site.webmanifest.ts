import type { APIRoute } from 'astro';
import { derivePalette } from '../../styles/palette.ts';
import { themes } from '../../styles/themes.ts';

export const GET: APIRoute = ({ locals: { site } }) => {
  const { ground, panel } = derivePalette(themes.default.seeds, 'light');
  return new Response(
    JSON.stringify({
      name: site.companyName,
      short_name: site.companyName,
      start_url: '/',
      display: 'browser',
      background_color: ground,
      theme_color: panel,
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    }),
    { headers: { 'content-type': 'application/manifest+json; charset=utf-8' } },
  );
};
