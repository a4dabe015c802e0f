import type { Language } from '../../../model/fields/language.ts';
import { stateFragment } from '../../../model/messages/page-manifest.ts';
import { BAR_DIRECTORY, barAssociations } from '../../../model/rules/bar-associations.ts';
import { limitationTable } from '../../../model/rules/limitation.ts';
import { limitYears } from '../../../model/rules/limitation-years.ts';
import { fill } from '../texts/shared.ts';
import { stateNames } from '../texts/state-names.ts';
import { texts } from '../texts/texts.ts';

type Place = { readonly code: string; readonly state: string; readonly language: Language };

/** The two next steps in one state: its deadline under the present law, and its bar association. */
function OneState({ code, state, language }: Place) {
  const { deadline, deadlineOfOne, since, askBar } = texts[language].thankYou;
  const years = limitYears(code, 'present') ?? 0;
  const from = limitationTable.find((row) => row.code === code)?.present?.since;
  const day =
    from &&
    new Date(Date.UTC(from.year, from.month - 1, from.day)).toLocaleDateString(language, {
      dateStyle: 'long',
      timeZone: 'UTC',
    });
  return (
    <ol className="numbered" id={stateFragment(code)}>
      <li>
        <p>
          {fill(years === 1 ? deadlineOfOne : deadline, { state, years })}
          {day && ` ${fill(since, { day })}`}
        </p>
      </li>
      <li>
        <a
          className="button"
          href={barAssociations[code]}
          target="_blank"
          rel="noopener noreferrer"
        >
          {fill(askBar, { state })}
        </a>
      </li>
    </ol>
  );
}

/**
 * The two next steps for a visitor whom we cannot match with a lawyer: the deadline and the bar
 * association of their state. `fill-thanks.ts` shows the visitor's state; without scripts the
 * address's fragment does. If the state is unknown, the visitor can open any state.
 */
export function StateSteps({ language }: { readonly language: Language }) {
  const words = texts[language].thankYou;
  const names = Object.entries(stateNames(language));
  return (
    <section>
      <h2 id="state-title">{words.stateTitle}</h2>
      <div id="your-state">
        <ol className="numbered">
          <li>
            <p>{words.findDeadline}</p>
          </li>
          <li>
            <a className="button" href={BAR_DIRECTORY} target="_blank" rel="noopener noreferrer">
              {words.askDirectory}
            </a>
          </li>
        </ol>
      </div>
      <p className="fine">{words.deadlineNote}</p>
      <details className="folded">
        <summary>{words.otherStates}</summary>
        {names.map(([code, name]) => (
          <details
            name="state"
            data-state={code}
            data-title={fill(words.ownStateTitle, { state: name })}
            key={code}
          >
            <summary>{name}</summary>
            <OneState code={code} state={name} language={language} />
          </details>
        ))}
      </details>
    </section>
  );
}
