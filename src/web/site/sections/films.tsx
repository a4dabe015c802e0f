import type { MarkdownInstance } from 'astro';
import { Fragment } from 'react';
import { filmWords } from '../../../../content/section-words.ts';
import type { Language } from '../../../model/fields/language.ts';
import { asHtml } from '../content.ts';
import { completeFilms } from '../film-list.ts';
import { pathOf } from '../site-map.ts';
import { siteTexts } from '../site-texts.ts';

type Transcript = MarkdownInstance<{ readonly title: string; readonly lead: string }>;

const urls = import.meta.glob<string>('../../../../content/films/*/*.{mp4,vtt,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});
const transcripts = import.meta.glob<Transcript>('../../../../content/films/*/*.md', {
  eager: true,
});
const folder = '../../../../content/films/';
const files = Object.keys({ ...urls, ...transcripts }).map((path) => path.slice(folder.length));
const loaded = Object.entries(transcripts).map(async ([path, { frontmatter, compiledContent }]) => {
  return [path, { ...frontmatter, html: await compiledContent() }] as const;
});
const texts = Object.fromEntries(await Promise.all(loaded));

/** Returns the titles of all films. Phones show the first one at once. */
export function filmTitles(language: Language): string {
  const films = completeFilms(files, language);
  return films.map((film) => texts[`${folder}${film}/${language}.md`]?.title).join('');
}

/** Shows the films that are complete in a language, or what is coming. */
export function Films({ language }: { readonly language: Language }) {
  const { captions, transcript, coming } = filmWords[language];
  const films = completeFilms(files, language);
  if (films.length === 0) {
    return (
      <p>
        {coming}
        <a href={pathOf('timeline', language)}>{siteTexts[language].pageNames.timeline}</a>.
      </p>
    );
  }
  return films.map((film) => {
    const at = `${folder}${film}/${language}`;
    const { title, lead, html = '' } = texts[`${at}.md`] ?? {};
    return (
      <Fragment key={film}>
        <h2 className="film-title" id={film}>
          {title}
        </h2>
        <p>{lead}</p>
        <video
          controls
          playsInline
          preload="none"
          width="960"
          height="540"
          poster={urls[`${at}.webp`]}
          aria-labelledby={film}
        >
          <source src={urls[`${at}.mp4`]} type="video/mp4" />
          <track
            kind="captions"
            srcLang={language}
            label={captions}
            src={urls[`${at}.vtt`]}
            default
          />
        </video>
        <details>
          <summary>{transcript}</summary>
          <div {...asHtml(html)} />
        </details>
      </Fragment>
    );
  });
}
