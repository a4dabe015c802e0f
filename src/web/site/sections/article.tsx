import type { PageLocals } from '../../../model/messages/site-settings.ts';
import { dayText } from '../../survey/texts/law-facts.ts';
import { fill } from '../../survey/texts/shared.ts';
import { asHtml, contentOf, fillPlaces, piecesOf } from '../content.ts';
import { isGuide, type PageId, surveyPaths } from '../site-map.ts';
import { siteTexts } from '../site-texts.ts';
import { ContentSection } from './content-sections.tsx';
import { GuideList, PageHead, type PageProps } from './page-parts.tsx';
import { ReviewedBy } from './publisher.tsx';

type Props = PageProps & {
  readonly page: PageId;
  readonly locals: PageLocals;
  readonly html: string;
  readonly values: Readonly<Record<string, string>>;
  /** True if a box beside the text offers the survey; false for reference pages. */
  readonly offersSurvey: boolean;
};

/** An article with heading, text, sources and further pages. */
export function Article(props: Props) {
  const { language, page, locals, values } = props;
  const words = siteTexts[language];
  const { reviewer } = locals.site.publisher;
  const content = contentOf(page, language);
  const { title, lead, checked, sources = [], next } = content.frontmatter;
  const parts = content.getHeadings().filter(({ depth }) => depth === 2);
  return (
    <article>
      <PageHead language={language} page={page} title={fillPlaces(title, values)}>
        <p className="lead" {...asHtml(fillPlaces(lead, values))} />
        {reviewer && isGuide(page) && checked <= reviewer.reviewedOn ? (
          <ReviewedBy reviewer={reviewer} language={language} />
        ) : (
          <p className="fine">
            {fill(words.checked, { date: '' })}
            <time dateTime={checked}>{dayText(checked, language)}</time>
          </p>
        )}
      </PageHead>
      <div className="container article-body">
        <div className="beside">
          {parts.length > 2 && (
            <nav className="toc" aria-labelledby="toc">
              <p className="toc-title" id="toc">
                {words.onThisPage}
              </p>
              <ul>
                {parts.map(({ slug, text }) => (
                  <li key={slug}>
                    <a href={`#${slug}`}>{text}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          {props.offersSurvey && (
            <aside className="box claim-box fields" aria-label={words.startSurvey}>
              <p>{words.startNote}</p>
              <a className="button" href={surveyPaths[language]}>
                {words.startSurvey}
              </a>
            </aside>
          )}
        </div>
        <div className="prose">
          {piecesOf(props.html).map(({ html, name, argument }) =>
            name === undefined ? (
              <div key={html} {...asHtml(fillPlaces(html, values))} />
            ) : (
              <div key={html}>
                <ContentSection
                  name={name}
                  argument={argument}
                  language={language}
                  locals={locals}
                />
              </div>
            ),
          )}
          {sources.length > 0 && (
            <section className="sources muted" aria-labelledby="sources">
              <h2 id="sources">{words.sources}</h2>
              <ul>
                {sources.map(({ name, url }) => (
                  <li key={name}>{url === undefined ? name : <a href={url}>{name}</a>}</li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
      {next.length > 0 && (
        <nav className="read-next container" aria-labelledby="read-next">
          <h2 className="title" id="read-next">
            {words.nextTitle}
          </h2>
          <GuideList
            language={language}
            guides={next.map((id) => ({ page: id, title: words.pageNames[id] }))}
          />
        </nav>
      )}
    </article>
  );
}
