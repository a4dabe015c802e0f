import { formatIso } from '../../../model/fields/dates.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/site-settings.ts';
import { type LimitationRow, limitationTable } from '../../../model/rules/limitation.ts';
import type { LimitationChoice } from '../../../model/rules/limitation-years.ts';
import { fill } from '../../survey/texts/shared.ts';
import { stateName, stateNames } from '../../survey/texts/state-names.ts';
import { contentOf } from '../content.ts';
import { dayText, yearsText } from '../law-facts.ts';
import { hasPlaceholderName, shownSponsors, statesOf } from '../sponsor-list.ts';
import { DeadlineMap, Figure, StateOutline } from './figures.tsx';
import { Films } from './films.tsx';
import { GuideList } from './page-parts.tsx';

const guidePages = ['timeline', 'settlements', 'filing-claim', 'elements', 'faqs'] as const;

const sponsorWords = {
  en: {
    placeholders: 'Example firms, in this demo only. The live site lists the firms that take part.',
    everywhere: 'In every state and the District of Columbia',
    responsible: 'Responsible lawyer: ',
    nobody: 'No firm is listed at the moment.',
  },
  es: {
    placeholders:
      'Bufetes de ejemplo, solo en esta demostración. En el sitio real están los bufetes que participan.',
    everywhere: 'En todos los estados y el Distrito de Columbia',
    responsible: 'Abogado responsable: ',
    nobody: 'Por ahora no hay ningún bufete en la lista.',
  },
} as const;

const deadlineWords = {
  en: {
    caption: 'Time to file a lawsuit for an injury, by state',
    state: 'State',
    time: 'Time to sue',
    from: 'from the day of the crash to file a lawsuit for an injury in {state}.',
    since: 'For crashes on or after {since}. Before that, {coded}.',
    source: 'Source: {source}.',
    survey: 'Our questions still use {coded} here. Go by the law: {now}.',
  },
  es: {
    caption: 'Plazo para demandar por una lesión, por estado',
    state: 'Estado',
    time: 'Plazo',
    from: 'desde el día del choque para demandar por una lesión en {state}.',
    since: 'Para choques desde el {since}. Antes, {coded}.',
    source: 'Fuente: {source}.',
    survey: 'Nuestras preguntas todavía cuentan {coded} aquí. Guíese por la ley: {now}.',
  },
} as const;

type Props = {
  readonly name: string;
  readonly argument: string | undefined;
  readonly language: Language;
  readonly locals: PageLocals;
};

/** Renders a section by its name. Throws for an unknown name or US state. */
export function ContentSection({ name, argument = '', language, locals }: Props) {
  if (name === 'sponsors') return <Sponsors language={language} locals={locals} />;
  if (name === 'films') return <Films language={language} />;
  if (name === 'guides') {
    const guides = guidePages.map((page) => {
      const { title, description: lead } = contentOf(page, language).frontmatter;
      return { page, title, lead };
    });
    return <GuideList language={language} guides={guides} />;
  }
  if (name === 'figure') return <Figure name={argument} language={language} />;
  if (name === 'deadline-map') return <DeadlineMap language={language} />;
  const { limitation } = locals.site;
  const laws = { language, surveyCounts: limitation };
  if (name === 'deadlines') return <DeadlineTable {...laws} />;
  const state = limitationTable.find(({ code }) => code === argument);
  if (name === 'deadline' && state) return <DeadlineOf state={state} {...laws} />;
  throw new Error(`There is no section called ${name} ${argument}`);
}

/** Lists every participating firm with its US states. */
function Sponsors({ language, locals }: Pick<Props, 'language' | 'locals'>) {
  const { placeholders, nobody, everywhere, responsible } = sponsorWords[language];
  const names = stateNames(language);
  const listed = shownSponsors(locals);
  if (listed.length === 0) return <p>{nobody}</p>;
  return (
    <>
      {listed.some(hasPlaceholderName) && <p className="notice">{placeholders}</p>}
      <ul className="sponsors">
        {listed.map((sponsor) => {
          const { name, office, responsibleLawyer, website } = sponsor;
          const states = statesOf(sponsor)?.map((code) => names[code]);
          return (
            <li key={name}>
              {website === undefined ? <strong>{name}</strong> : <a href={website}>{name}</a>}
              {office !== '' && `, ${office}`}
              {responsibleLawyer !== undefined && `. ${responsible}${responsibleLawyer}`}
              <p className="muted">{states?.join(', ') ?? everywhere}</p>
            </li>
          );
        })}
      </ul>
    </>
  );
}

type LawProps = { readonly language: Language; readonly surveyCounts: LimitationChoice };

/** The present deadlines to sue (docs/specification.md#statute-of-limitations). */
function DeadlineTable({ language, surveyCounts }: LawProps) {
  const { caption, state: stateHead, time } = deadlineWords[language];
  const names = Object.entries(stateNames(language));
  return (
    <table className="deadlines">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{stateHead}</th>
          <th scope="col">{time}</th>
        </tr>
      </thead>
      <tbody>
        {names.map(([code, name]) => {
          const state = limitationTable.find((row) => row.code === code);
          if (!state) return null;
          return (
            <tr key={code} id={code.toLowerCase()}>
              <th scope="row">
                {name}
                {state.present && (
                  <span className="deadline-note muted">
                    {notes(state, language, surveyCounts)}
                  </span>
                )}
              </th>
              <td>{yearsOf(state, language)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function DeadlineOf({ state, language, surveyCounts }: LawProps & { state: LimitationRow }) {
  const { from } = deadlineWords[language];
  return (
    <div className="box deadline-one">
      <StateOutline name={state.name} />
      <p className="deadline-years">{yearsOf(state, language)}</p>
      <p>
        {fill(from, { state: stateName(language, state.code) })}{' '}
        {notes(state, language, surveyCounts)}
      </p>
    </div>
  );
}

const yearsOf = ({ present, years }: LimitationRow, language: Language) =>
  yearsText((present ?? { years }).years, language);

/** Returns notes on a law that has changed. */
function notes(
  { years, present }: LimitationRow,
  language: Language,
  surveyCounts: LimitationChoice,
): string {
  if (!present) return '';
  const words = deadlineWords[language];
  const coded = yearsText(years, language);
  const now = yearsText(present.years, language);
  const since = present.since && dayText(formatIso(present.since), language);
  return [
    since && fill(words.since, { since, coded }),
    fill(words.source, { source: present.source }),
    surveyCounts === 'coded' && now !== coded && fill(words.survey, { coded, now }),
  ]
    .filter(Boolean)
    .join(' ');
}
