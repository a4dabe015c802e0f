import { BAR_DIRECTORY, barAssociations } from '../../domain/bar-associations.ts';
import type { Language } from '../../domain/language.ts';
import { limitationTable, limitYears } from '../../domain/limitation.ts';
import { fill } from '../texts/fill.ts';
import { stateNames } from '../texts/state-names.ts';
import { texts } from '../texts/texts.ts';

/** One state's deadline as the law stands, and whom to ask there. */
function StateStep({ code, language }: { readonly code: string; readonly language: Language }) {
  const { deadline, deadlineOfOne, since, askBar } = texts[language].thankYou;
  const state = stateNames(language)[code] ?? code;
  const years = limitYears(code, 'present') ?? 0;
  const from = limitationTable.find((row) => row.code === code)?.present?.since;
  const day =
    from &&
    new Date(Date.UTC(from.year, from.month - 1, from.day)).toLocaleDateString(language, {
      dateStyle: 'long',
      timeZone: 'UTC',
    });
  return (
    <>
      <p>
        {fill(years === 1 ? deadlineOfOne : deadline, { state, years })}
        {day && ` ${fill(since, { day })}`}
      </p>
      <p>
        <a className="next" href={barAssociations[code]} target="_blank" rel="noopener noreferrer">
          {fill(askBar, { state })}
        </a>
      </p>
    </>
  );
}

/**
 * The two next steps for someone whom we could not match, in their own state: the deadline and the bar
 * association. `thank-you-entry.ts` shows those of the visitor's state; without it, or where the state is
 * not known, all of them can be opened.
 */
export function StateSteps({ language }: { readonly language: Language }) {
  const { stateTitle, otherStates, askDirectory, deadlineNote } = texts[language].thankYou;
  const names = Object.entries(stateNames(language));
  return (
    <section>
      <h2>{stateTitle}</h2>
      <div id="your-state">
        <p>
          <a className="next" href={BAR_DIRECTORY} target="_blank" rel="noopener noreferrer">
            {askDirectory}
          </a>
        </p>
      </div>
      <p className="fine">{deadlineNote}</p>
      <details>
        <summary>{otherStates}</summary>
        {names.map(([code, name]) => (
          <details name="state" data-state={code} key={code}>
            <summary>{name}</summary>
            <StateStep code={code} language={language} />
          </details>
        ))}
      </details>
    </section>
  );
}
