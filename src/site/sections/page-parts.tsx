import type { ReactNode } from 'react';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Language } from '../../domain/language.ts';
import { type PageId, pathOf, trailOf } from '../site-map.ts';
import { siteTexts } from '../texts/site-texts.ts';

type PlaceProps = { readonly language: Language; readonly page: PageId };

/** The head of articles and form pages: the way to the page, its heading, and what follows the heading. */
export function PageHead({
  language,
  page,
  title,
  children,
}: PlaceProps & { readonly title: string; readonly children: ReactNode }) {
  return (
    <header className="article-head">
      <div className="container">
        <Breadcrumbs language={language} page={page} />
        <h1 className="display">{title}</h1>
        {children}
      </div>
    </header>
  );
}

function Breadcrumbs({ language, page }: PlaceProps) {
  const words = siteTexts[language];
  const trail = trailOf(page).slice(0, -1);
  return (
    <nav className="crumbs" aria-label={words.breadcrumbs}>
      <ol>
        {trail.map((id) => (
          <li key={id}>
            <a href={pathOf(id, language)}>{words.pageNames[id]}</a>
          </li>
        ))}
        <li aria-current="page">{words.pageNames[page]}</li>
      </ol>
    </nav>
  );
}

type Phone = Pick<SiteSettings, 'phoneHref' | 'phoneDisplay'>;

/** A text whose `{phone}` is a link that calls us. */
export function CallText({ text, phone }: { readonly text: string; readonly phone: Phone }) {
  const [before, after] = text.split('{phone}');
  if (after === undefined) return text;
  return (
    <>
      {before}
      <a href={phone.phoneHref}>{phone.phoneDisplay}</a>
      {after}
    </>
  );
}

/** Lines of text with a rule below each. */
export function PlainList({
  lines,
  phone,
}: {
  readonly lines: readonly string[];
  /** Where a line may contain `{phone}`. */
  readonly phone?: Phone;
}) {
  return (
    <ul className="plain-list">
      {lines.map((line) => (
        <li key={line}>{phone ? <CallText text={line} phone={phone} /> : line}</li>
      ))}
    </ul>
  );
}

/** A check mark in a disc: the form was sent. */
export function SentMark() {
  return (
    <svg className="sent-mark" viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d="m14 25 7 7 13-15" />
    </svg>
  );
}
