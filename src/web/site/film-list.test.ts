import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { completeFilms, missingFilmFiles } from './film-list.ts';

const english = ['md', 'mp4', 'vtt', 'webp'].map((extension) => `b/en.${extension}`);

test('the gallery shows a film only with transcript, captions and poster', () => {
  const files = ['a/en.md', 'a/en.mp4', 'a/en.webp', ...english, 'b/es.mp4'];
  expect(completeFilms(files, 'en')).toEqual(['b']);
  expect(completeFilms(files, 'es')).toEqual([]);
  expect(missingFilmFiles(files)).toEqual(['a/en.vtt', 'b/es.md', 'b/es.vtt', 'b/es.webp']);
  expect(missingFilmFiles(english)).toEqual([]);
});

test('every film has all of its files', () => {
  const files = globSync('*/*.*', { cwd: 'content/films' });
  expect(missingFilmFiles(files), 'add these files to content/films/').toEqual([]);
});
