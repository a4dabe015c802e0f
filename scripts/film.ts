/**
 * Draws the films of `content/videos.ts` with captions into `src/site/public/videos/`:
 * `FFMPEG=/path/to/ffmpeg node scripts/film.ts`. The results are committed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { type Scene, type Video, videos } from '../content/videos.ts';
import { derivePalette } from '../src/site/themes/palette.ts';
import { themes } from '../src/site/themes/themes.ts';
import { browserArgs, findBrowser } from './browser.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'src', 'site', 'public', 'videos');
const light = derivePalette(themes.default.seeds, 'light');
const FRAMES_PER_SECOND = 20;
const COMING_SECONDS = 0.5;

const font = readFileSync(join(root, 'src/site/fonts/newsreader.woff2'), 'base64');

/** Returns a scene's HTML at `progress` (0 to 1) of its fade-in and at `way` (0 to 1) of the film. */
function picture({ heading, text }: Scene, progress: number, way: number): string {
  const eased = 1 - (1 - progress) ** 3;
  return `
<style>
  @font-face { font-family: heading; src: url(data:font/woff2;base64,${font}); font-weight: 400 700; }
  body { position: relative; height: 100vh; margin: 0; overflow: hidden; background: ${light.panel}; color: ${light['on-panel']}; }
  div { position: absolute; left: 72px; right: 72px; top: 64px; opacity: ${eased}; transform: translateY(${24 * (1 - eased)}px); }
  h1 { margin: 0 0 20px; font: 560 60px/1.1 heading; letter-spacing: -0.012em; }
  p { max-width: 24em; margin: 0; color: ${light['on-panel-quiet']}; font: 500 30px/1.4 system-ui, sans-serif; }
  svg { position: absolute; inset: auto 0 0; width: 100%; height: 200px; }
</style>
<svg viewBox="0 0 960 200" preserveAspectRatio="none">
  <circle cx="${140 + 680 * way}" cy="${88 - 46 * Math.sin(Math.PI * way)}" r="40" fill="${light['art-sun']}"/>
  <path d="M0 100c130-44 270-56 420-26s320 42 540-16v142H0z" fill="${light['art-far']}"/>
  <path d="M0 146c180-50 340-56 520-20s300 26 440-16v90H0z" fill="${light['art-mid']}"/>
  <path d="M0 184c200-32 420-28 600 2 40 6 60 10 80 14H0z" fill="${light['art-near']}"/>
</svg>
<div><h1>${heading}</h1><p>${text}</p></div>`;
}

/** Draws every picture of a film, and returns ffmpeg's concat list with their durations. */
async function drawPictures(
  page: Page,
  { scenes, width, height }: Video,
  into: string,
): Promise<string> {
  await page.setViewportSize({ width, height });
  const total = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const coming = Math.round(COMING_SECONDS * FRAMES_PER_SECOND);
  const lines: string[] = [];
  let at = 0;
  for (const [index, scene] of scenes.entries()) {
    for (let frame = 1; frame <= coming; frame += 1) {
      const isLast = frame === coming;
      // The sun moves only while the words do.
      const way = (at + (frame / coming) * scene.seconds) / total;
      await page.setContent(picture(scene, frame / coming, way));
      await page.evaluate(() => document.fonts.ready);
      const file = join(into, `${index}-${frame}.png`);
      await page.screenshot({ path: file });
      const shown = isLast ? scene.seconds - COMING_SECONDS : 1 / FRAMES_PER_SECOND;
      lines.push(`file '${file}'`, `duration ${shown}`);
      // ffmpeg needs the last picture twice, or cuts it short.
      if (isLast && index === scenes.length - 1) lines.push(`file '${file}'`);
    }
    at += scene.seconds;
  }
  return lines.join('\n');
}

function captions(scenes: readonly Scene[]): string {
  const time = (seconds: number) => `00:${new Date(seconds * 1000).toISOString().slice(14, 23)}`;
  let at = 0;
  const cues = scenes.map(({ heading, text, seconds }) => {
    const from = at;
    at += seconds;
    return `${time(from)} --> ${time(at)}\n${heading}\n${text}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}

const ffmpeg = process.env.FFMPEG ?? 'ffmpeg';
const executablePath = findBrowser();
const browser = await chromium.launch({
  args: [...browserArgs],
  ...(executablePath ? { executablePath } : {}),
});
const page = await browser.newPage();
mkdirSync(folder, { recursive: true });
for (const video of videos) {
  const work = mkdtempSync(join(tmpdir(), 'film-'));
  const list = join(work, 'list.txt');
  writeFileSync(list, await drawPictures(page, video, work));
  const encode = (name: string, ...options: string[]) => {
    const file = join(folder, name);
    const from = ['-y', '-loglevel', 'error', '-f', 'concat', '-safe', '0', '-i', list];
    const how = ['-r', String(FRAMES_PER_SECOND), '-pix_fmt', 'yuv420p'];
    execFileSync(ffmpeg, [...from, ...how, ...options, file], { stdio: 'inherit' });
    console.log(`${name}: ${statSync(file).size} bytes`);
  };
  encode(`${video.id}.webm`, '-c:v', 'libvpx-vp9', '-crf', '36', '-b:v', '0');
  encode(
    `${video.id}.mp4`,
    '-c:v',
    'libx264',
    '-crf',
    '27',
    '-preset',
    'slow',
    '-movflags',
    '+faststart',
  );
  writeFileSync(join(folder, `${video.id}.vtt`), captions(video.scenes));
  rmSync(work, { recursive: true });
}
await browser.close();
