import { type Language, languages } from '../../domain/language.ts';

/** What a language calls itself. */
const names: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

/**
 * The way to the same survey or thank-you page in the other language. The page's script (`entry.tsx`,
 * `thank-you-entry.ts`) adds the query that the visitor came with, so that the click comes along.
 */
export function LanguageSwitch({
  language,
  path,
}: {
  readonly language: Language;
  /** Its address in the other language. */
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
