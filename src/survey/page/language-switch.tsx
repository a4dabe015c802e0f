import { type Language, languages } from '../../domain/language.ts';

/** Each language's own name for itself. */
const names: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

/**
 * The link to the same survey or thank-you page in the other language. The page's script
 * (`entry.tsx`, `thank-you-entry.ts`) adds the visitor's query, so that the click is kept.
 */
export function LanguageSwitch({
  language,
  path,
}: {
  readonly language: Language;
  /** The page's path in the other language. */
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
