import type { HomeGuide, HomeWords, Testimonial } from '../../../../content/home/home-words.ts';
import { Drawing } from '../../survey/page/art/drawing.tsx';
import { AnswerIcon } from '../../survey/page/survey-icons.tsx';
import { PhoneIcon } from '../../survey/page/survey-page.tsx';
import { fill } from '../../survey/texts/shared.ts';
import { pathOf } from '../site-map.ts';
import { siteTexts } from '../site-texts.ts';
import { StateMap } from './figures.tsx';
import { Band, GuideList, type PageProps, PlainList, WhyChooseUs } from './page-parts.tsx';

type Props = PageProps & {
  readonly words: HomeWords;
  readonly first: {
    readonly step: string;
    readonly question: string;
    readonly answers: readonly (readonly [value: string, label: string])[];
    readonly surveyPath: string;
  };
  readonly testimonials: readonly Testimonial[];
  readonly areExamples: boolean;
  readonly limits: { readonly shortest: string; readonly longest: string };
};

const guideIcons = {
  timeline: 'clock',
  settlements: 'note',
  'filing-claim': 'paper',
} as const satisfies Record<HomeGuide, string>;

/** The home page: the first question, then information for visitors who read on. */
export function Home(props: Props) {
  const { language, settings, words } = props;
  const site = siteTexts[language];
  return (
    <>
      <Hero {...props} />
      <Band title={words.nextTitle} lead={words.nextLead}>
        <ol className="columns steps" id="steps">
          {words.next.map(({ title, text }, index) => (
            <li key={title}>
              <Drawing name={`step-${index + 1}`} className="step-art" />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </Band>
      <WhyChooseUs {...words} />
      <section className="band band--surface">
        <div className="container columns split">
          <div>
            <h2 className="title">{words.honestTitle}</h2>
            <PlainList lines={words.honest} />
            <p>
              <a href={pathOf('about-us', language)}>{words.honestLink}</a>
            </p>
          </div>
          <div className="deadline-card">
            <StateMap />
            <h2 className="title">{words.deadlineTitle}</h2>
            <p>{fill(words.deadlineText, props.limits)}</p>
            <p>
              <a href={`${pathOf('laws', language)}#deadlines`}>{words.deadlineLink}</a>
            </p>
          </div>
        </div>
      </section>
      {props.testimonials.length > 0 && <Testimonials {...props} />}
      <Band title={words.guidesTitle} lead={words.guidesLead} className="band band--surface">
        <GuideList
          language={language}
          guides={(Object.keys(words.guides) as HomeGuide[]).map((page) => ({
            page,
            title: words.guides[page].title,
            lead: words.guides[page].text,
            icon: guideIcons[page],
          }))}
        />
      </Band>
      <section className="band last-call">
        <div className="container container--text">
          <h2 className="title">{words.lastTitle}</h2>
          <p className="row">
            <a className="button button--fit" href={props.first.surveyPath}>
              {site.startSurvey}
            </a>
            <a className="button button--quiet button--fit" href={settings.phoneHref}>
              <PhoneIcon />
              {settings.phoneDisplay}
            </a>
          </p>
          <p className="fine">{words.lastText}</p>
        </div>
      </section>
    </>
  );
}

/** The first question as a form, which posts the answer to the survey. */
function Hero({ words, first }: Props) {
  return (
    <section className="hero">
      <div className="container columns hero-inside">
        <div className="hero-words">
          <h1 className="display">{words.heading}</h1>
          <p className="lead">{words.lead}</p>
        </div>
        <div className="card first-question">
          <p className="eyebrow">{words.questionLabel}</p>
          <h2 id="first-question">{first.question}</h2>
          <form
            className="first-answers"
            method="post"
            action={first.surveyPath}
            aria-labelledby="first-question"
          >
            <input type="hidden" name="step" value={first.step} />
            {first.answers.map(([value, label]) => (
              <button
                className="chevron"
                type="submit"
                name="accident_type"
                value={value}
                key={value}
              >
                <AnswerIcon field="accident_type" value={value} />
                {label}
              </button>
            ))}
          </form>
          <p className="fine">{words.promise}</p>
        </div>
      </div>
      {/* The drawing comes last, because it is at the bottom of the hero. */}
      <Drawing name="hero" className="hero-art" fills />
    </section>
  );
}

function Testimonials({ words, testimonials, areExamples }: Props) {
  return (
    <Band title={words.testimonialsTitle}>
      {areExamples && <p className="notice example-note">{words.testimonialsExamples}</p>}
      <ul className="columns quotes">
        {testimonials.map(({ quote, from }) => (
          <li key={quote}>
            <figure>
              {areExamples && <p className="example-label">{words.exampleLabel}</p>}
              <blockquote>
                <p>{quote}</p>
              </blockquote>
              <figcaption className="muted">{from}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Band>
  );
}
