import { guidanceWords } from '../../../../content/guidance-words.ts';
import { daysBetween, formatIso } from '../../../model/fields/dates.ts';
import type { Language } from '../../../model/fields/language.ts';
import {
  type Guidance as Content,
  guidanceFor,
  type TimeToSue,
} from '../../../model/rules/guidance.ts';
import { isDayOfAccidentKnown } from '../../../model/rules/limitation.ts';
import citations from '../../../model/rules/limitation-citations.json' with { type: 'json' };
import { dayText, yearsText } from '../texts/law-facts.ts';
import { fill } from '../texts/shared.ts';
import { stateName } from '../texts/state-names.ts';
import type { ScreenProps } from './screen-props.ts';

/** Shows deadline and advice beside or below the question (docs/specification.md#guidance). */
export function Guidance(screen: ScreenProps) {
  const { answers, visitState, today, flow, step, texts } = screen;
  const isDescription = step.kind === 'description';
  const isAsked = isDescription || step.kind === 'choice';
  const content =
    isAsked && guidanceFor({ answers, visitState, today, rules: flow.rules, isDescription });
  if (!content) return null;
  const words = guidanceWords[texts.language];
  return (
    <section className="guidance" aria-labelledby="guidance">
      <div>
        <h2 id="guidance">{words.title}</h2>
        <Deadline {...screen} {...content} />
        <h3>{words.now}</h3>
        <ul>
          {content.steps.map((name) => (
            <li key={name}>{words.steps[name]}</li>
          ))}
        </ul>
        <h3>{words.asked}</h3>
        <ul>
          {words.questions.map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
        <p className="fine">{words.note}</p>
      </div>
    </section>
  );
}

/** The usual deadline to sue in the visitor's state. Its law is the source. */
function Deadline(props: ScreenProps & Content) {
  const { texts, answers, times, urgency, today } = props;
  const { language } = texts;
  const words = guidanceWords[language];
  const [earliest] = times;
  if (!earliest) return null;
  if (times.length > 1) {
    return <Deadlines language={language} times={times} urgency={urgency} />;
  }
  // Of a month of accidents, the first day to sue may be over and the last one not.
  const isUncertain =
    urgency !== 'over' && earliest.lastDay && daysBetween(earliest.lastDay, today) > 0;
  const first = isUncertain ? { ...earliest, lastDay: undefined } : earliest;
  const byDate = isDayOfAccidentKnown(answers) ? words.deadline : words.earliest;
  const text = urgency === 'over' ? words.over : first.lastDay ? byDate : words.years;
  const [before, after] = fill(text, { state: stateName(language, first.state) }).split('{day}');
  const source = (citations as Readonly<Record<string, string>>)[first.state];
  return (
    <>
      <p>
        {before}
        <strong>{limitText(first, language)}</strong>
        {after} {urgency === 'near' && words.near}
      </p>
      {source && <p className="fine">{fill(words.source, { source })}</p>}
    </>
  );
}

type DeadlinesProps = Pick<Content, 'times' | 'urgency'> & { readonly language: Language };

/** The deadlines of all states, for a visitor whose state is unknown. */
function Deadlines({ language, times, urgency }: DeadlinesProps) {
  const words = guidanceWords[language];
  const years = times.map((time) => time.years);
  const shortest = Math.min(...years);
  const longest = yearsText(Math.max(...years), language);
  // Formatting a date is slow, so each date is formatted once.
  const byLimit = new Map<string, TimeToSue[]>();
  for (const time of times) {
    const key = JSON.stringify(time.lastDay ?? time.years);
    byLimit.set(key, [...(byLimit.get(key) ?? []), time]);
  }
  const limits = [...byLimit.values()].map(
    (same) => [limitText(same[0]!, language), same.map(({ state }) => state)] as const,
  );
  return (
    <>
      <p>
        {fill(words.range, { shortest, longest })}{' '}
        {urgency === 'none'
          ? times[0]?.lastDay && fill(words.strictest, { day: limits[0]![0] })
          : words.someNear}
      </p>
      <details>
        <summary>{words.byState}</summary>
        {limits.map(([limit, states]) => (
          <p key={limit}>
            <strong>{limit}:</strong>{' '}
            {states
              .map((state) => stateName(language, state))
              .sort((one, other) => one.localeCompare(other, language))
              .join(', ')}
          </p>
        ))}
      </details>
      <p>
        <a href={words.laws.href} target="_blank" rel="noopener">
          {words.laws.text}
        </a>
      </p>
    </>
  );
}

/** Formats the last day, or the number of years if the day of the accident is unknown. */
function limitText({ lastDay, years }: TimeToSue, language: Language): string {
  return lastDay ? dayText(formatIso(lastDay), language) : yearsText(years, language);
}
