import { type Language, languages } from '../../domain/language.ts';

/** What a language calls itself. */
const names: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

/**
 * The way to the same survey in the other language. `entry.tsx` adds the page's query, so that the click
 * comes along.
 */
export function LanguageSwitch({
  language,
  path,
}: {
  readonly language: Language;
  /** The survey's path in the other language. */
  readonly path: string;
}) {
  const other = languages.find((each) => each !== language) as Language;
  return (
    <p className="language-switch">
      <a href={path} hrefLang={other} lang={other} id="other-language">
        {names[other]}
      </a>
    </p>
  );
}
