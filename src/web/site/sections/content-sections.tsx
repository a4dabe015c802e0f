import { formatIso } from '../../../model/fields/dates.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/site-settings.ts';
import { type LimitationRow, limitationTable } from '../../../model/rules/limitation.ts';
import type { LimitationChoice } from '../../../model/rules/limitation-years.ts';
import { stateNames } from '../../survey/texts/state-names.ts';
import { contentOf } from '../content.ts';
import { dayText, yearsText } from '../law-facts.ts';
import { hasPlaceholderName, shownSponsors, statesOf } from '../sponsor-list.ts';
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

type Props = {
  readonly name: string;
  readonly argument: string | undefined;
  readonly language: Language;
  readonly locals: PageLocals;
};

/** Renders a section by its name. Throws for an unknown name or US state. */
export function ContentSection({ name, argument = '', language, locals }: Props) {
  if (name === 'sponsors') return <Sponsors language={language} locals={locals} />;
  if (name === 'guides') {
    const guides = guidePages.map((page) => {
      const { title, description: lead } = contentOf(page, 'en').frontmatter;
      return { page, title, lead };
    });
    return <GuideList language={language} guides={guides} />;
  }
  const { limitation } = locals.site;
  if (name === 'deadlines') return <DeadlineTable surveyCounts={limitation} />;
  const state = limitationTable.find(({ code }) => code === argument);
  if (name === 'deadline' && state) return <DeadlineOf state={state} surveyCounts={limitation} />;
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

/** The present deadlines to sue (docs/specification.md#statute-of-limitations). */
function DeadlineTable({ surveyCounts }: Pick<DeadlineProps, 'surveyCounts'>) {
  return (
    <table className="deadlines">
      <caption className="sr-only">Time to file a lawsuit for an injury, by state</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Time to sue</th>
        </tr>
      </thead>
      <tbody>
        {limitationTable
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map((state) => (
            <tr key={state.code} id={state.code.toLowerCase()}>
              <th scope="row">
                {state.name}
                {state.present && (
                  <span className="deadline-note muted">{notes(state, surveyCounts)}</span>
                )}
              </th>
              <td>{yearsOf(state)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

type DeadlineProps = { readonly state: LimitationRow; readonly surveyCounts: LimitationChoice };

function DeadlineOf({ state, surveyCounts }: DeadlineProps) {
  return (
    <div className="box deadline-one">
      <p className="deadline-years">{yearsOf(state)}</p>
      <p>
        from the day of the crash to file a lawsuit for an injury in {state.name}.{' '}
        {notes(state, surveyCounts)}
      </p>
    </div>
  );
}

const yearsOf = ({ present, years }: LimitationRow) =>
  yearsText((present ?? { years }).years, 'en');

/** Returns notes on a law that has changed. */
function notes({ years, present }: LimitationRow, surveyCounts: LimitationChoice): string {
  if (!present) return '';
  const coded = yearsText(years, 'en');
  const now = yearsText(present.years, 'en');
  const since = present.since && dayText(formatIso(present.since), 'en');
  return [
    since && `For crashes on or after ${since}. Before that, ${coded}.`,
    `Source: ${present.source}.`,
    surveyCounts === 'coded' &&
      now !== coded &&
      `Our questions still use ${coded} here. Go by the law: ${now}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
