import { type Language, languages } from '../../model/fields/language.ts';

/** The files of a film in one language: transcript, film, captions and poster. */
const extensions = ['md', 'mp4', 'vtt', 'webp'] as const;

/** Returns the films that have all files in a language. `files` are paths in `content/films/`. */
export function completeFilms(files: readonly string[], language: Language): string[] {
  return namesOf(files).filter((film) => missingOf(files, film, language).length === 0);
}

/** Returns the missing files of films that a language has only in part. */
export function missingFilmFiles(files: readonly string[]): string[] {
  return namesOf(files).flatMap((film) =>
    languages.flatMap((language) => {
      const missing = missingOf(files, film, language);
      return missing.length < extensions.length ? missing : [];
    }),
  );
}

const namesOf = (files: readonly string[]) =>
  [...new Set(files.flatMap((file) => file.split('/')[0] ?? []))].sort();

const missingOf = (files: readonly string[], film: string, language: Language) =>
  extensions
    .map((extension) => `${film}/${language}.${extension}`)
    .filter((file) => !files.includes(file));
