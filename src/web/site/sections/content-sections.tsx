import { deadlineWords } from '../../../../content/section-words.ts';
import { formatIso } from '../../../model/fields/dates.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/site-settings.ts';
import {
  type LimitationRow,
  limitationTable,
  presentYears,
} from '../../../model/rules/limitation.ts';
import citations from '../../../model/rules/limitation-citations.json' with { type: 'json' };
import type { LimitationChoice } from '../../../model/rules/limitation-years.ts';
import { dayText, yearsText } from '../../survey/texts/law-facts.ts';
import { fill } from '../../survey/texts/shared.ts';
import { stateName, stateNames } from '../../survey/texts/state-names.ts';
import { contentOf } from '../content.ts';
import { DeadlineMap, Figure, StateOutline } from './figures.tsx';
import { Films } from './films.tsx';
import { GuideList } from './page-parts.tsx';
import { FounderNote, WhoWeAre } from './publisher.tsx';
import { Sponsors } from './sponsors.tsx';

const guidePages = ['timeline', 'settlements', 'filing-claim', 'elements', 'faqs'] as const;

type Props = {
  readonly name: string;
  readonly argument: string | undefined;
  readonly language: Language;
  readonly locals: PageLocals;
};

/** Renders a section by its name. Throws for an unknown name or US state. */
export function ContentSection({ name, argument = '', language, locals }: Props) {
  if (name === 'sponsors') return <Sponsors language={language} locals={locals} />;
  if (name === 'founder-note') return <FounderNote language={language} locals={locals} />;
  if (name === 'who-we-are') return <WhoWeAre language={language} locals={locals} />;
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
                <span className="deadline-note muted">{notes(state, language, surveyCounts)}</span>
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

const yearsOf = (state: LimitationRow, language: Language) =>
  yearsText(presentYears(state), language);

/** Returns the law of a deadline, and what a change of the law means. */
function notes(
  { code, years, present }: LimitationRow,
  language: Language,
  surveyCounts: LimitationChoice,
): string {
  const words = deadlineWords[language];
  const law = (citations as Readonly<Record<string, string>>)[code];
  if (!present) return law ? fill(words.source, { source: law }) : '';
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
