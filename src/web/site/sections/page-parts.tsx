import type { ReactNode } from 'react';
import type { HomeWords } from '../../../../content/home/home-words.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { SiteSettings } from '../../../model/messages/site-settings.ts';
import { type PageId, pathOf, trailOf } from '../site-map.ts';
import { siteTexts } from '../site-texts.ts';

/** The props of every part of a page. */
export type PageProps = {
  readonly language: Language;
  readonly settings: SiteSettings;
  /** The page's name. Undefined outside the site map, for example on the not-found page. */
  readonly page: PageId | undefined;
};

type HeadProps = {
  readonly language: Language;
  readonly page: PageId;
  readonly title: string;
  readonly lead?: string;
  readonly children?: ReactNode;
};

/** Shows a page's breadcrumbs, heading and first paragraph. */
export function PageHead({ language, page, title, lead, children }: HeadProps) {
  const words = siteTexts[language];
  const trail = trailOf(page).slice(0, -1);
  return (
    <header className="article-head">
      <div className="container">
        <nav className="crumbs" aria-label={words.breadcrumbs}>
          <ol className="row muted">
            {trail.map((id) => (
              <li key={id}>
                <a href={pathOf(id, language)}>{words.pageNames[id]}</a>
              </li>
            ))}
            <li aria-current="page">{words.pageNames[page]}</li>
          </ol>
        </nav>
        <h1 className="display">{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </div>
    </header>
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

type ListProps = { readonly lines: readonly string[]; readonly phone?: Phone };

/** Lines of text with a horizontal line below each. */
export function PlainList({ lines, phone }: ListProps) {
  return (
    <ul className="plain-list">
      {lines.map((line) => (
        <li key={line}>{phone ? <CallText text={line} phone={phone} /> : line}</li>
      ))}
    </ul>
  );
}

/** Values by term. A term without a value is left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="facts">
      {Object.entries(facts).map(([term, value]) =>
        value ? (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** A linked page, with the texts of its card. */
export type Guide = {
  readonly page: PageId;
  readonly title: string;
  readonly lead?: string;
  readonly icon?: IconName;
};

type GuideListProps = { readonly language: Language; readonly guides: readonly Guide[] };

/** Links to pages as cards. */
export function GuideList({ language, guides }: GuideListProps) {
  return (
    <ul className="guides">
      {guides.map(({ page, title, lead, icon }) => (
        <li key={page}>
          <a className="box chevron" href={pathOf(page, language)}>
            {icon && <LineIcon name={icon} />}
            <strong>{title}</strong>
            {lead && <span>{lead}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Line icons on a 24 by 24 grid, like the answers' icons (docs/design.md#scenes). */
const lineIcons = {
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17zM12 7.5V12l3 2',
  coin: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17zM14.8 9.2c-.5-1-1.5-1.4-2.8-1.4-1.6 0-2.7.8-2.7 2.1 0 2.9 5.6 1.4 5.6 4.2 0 1.3-1.2 2.1-2.9 2.1-1.4 0-2.5-.5-3-1.5M12 6.3v11.4',
  note: 'M3.5 7h17v10h-17zM9.8 12a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0zM6.5 12h.01M17.5 12h.01',
  paper: 'M6.5 3.5H14l4 4v13H6.5zM14 3.5v4h4M9.5 12h5.5M9.5 15.5h5.5',
  pin: 'M12 21c-3.7-4-6.3-7.2-6.3-10.7a6.3 6.3 0 0 1 12.6 0C18.3 13.8 15.7 17 12 21zM9.8 10.2a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0z',
  talk: 'M5 4.5h14A1.5 1.5 0 0 1 20.5 6v8.5A1.5 1.5 0 0 1 19 16h-7l-4.5 4v-4H5a1.5 1.5 0 0 1-1.5-1.5V6A1.5 1.5 0 0 1 5 4.5zM8 9h8M8 12h5',
} as const;

type IconName = keyof typeof lineIcons;

function LineIcon({ name }: { readonly name: IconName }) {
  return (
    <svg className="line-icon line-icon--well" viewBox="0 0 24 24" aria-hidden="true">
      <path d={lineIcons[name]} />
    </svg>
  );
}

type BandProps = Pick<HeadProps, 'title' | 'lead' | 'children'> & { readonly className?: string };

/** A part of the home page that is as wide as the window. */
export function Band({ title, lead, className = 'band', children }: BandProps) {
  return (
    <section className={className}>
      <div className="container">
        <h2 className="title">{title}</h2>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </div>
    </section>
  );
}

const icons = ['talk', 'pin', 'coin'] as const;

export function WhyChooseUs({ whyTitle, why }: Pick<HomeWords, 'whyTitle' | 'why'>) {
  return (
    <Band title={whyTitle} className="band band--surface">
      <ul className="columns reasons">
        {why.map((point, index) => (
          <li key={point.title}>
            <LineIcon name={icons[index] ?? 'talk'} />
            <h3>{point.title}</h3>
            <p>{point.text}</p>
          </li>
        ))}
      </ul>
    </Band>
  );
}
