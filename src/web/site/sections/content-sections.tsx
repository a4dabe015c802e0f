import { formatIso } from '../../../model/fields/dates.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { PageLocals } from '../../../model/messages/site-settings.ts';
import { type LimitationRow, limitationTable } from '../../../model/rules/limitation.ts';
import type { LimitationChoice } from '../../../model/rules/limitation-years.ts';
import { contentOf } from '../content.ts';
import { dayText, yearsText } from '../law-facts.ts';
import { GuideList } from './page-parts.tsx';
import { SponsorTable } from './sponsor-table.tsx';

const guidePages = ['timeline', 'settlements', 'filing-claim', 'elements', 'faqs'] as const;

type Props = {
  readonly name: string;
  readonly argument: string | undefined;
  readonly language: Language;
  readonly locals: PageLocals;
};

/** A section that a text of `content/pages/` names. Throws for an unknown name or US state. */
export function ContentSection({ name, argument = '', language, locals }: Props) {
  if (name === 'sponsors') return <SponsorTable language={language} locals={locals} />;
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

/** Returns notes on a changed law: its start, its source, and the survey's limit if different. */
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
