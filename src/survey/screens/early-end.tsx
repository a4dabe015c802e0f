import { useEffect } from 'react';
import { BAR_DIRECTORY, barAssociations } from '../../domain/bar-associations.ts';
import { daysBetween, incidentDate } from '../../domain/dates.ts';
import { limitYears } from '../../domain/limitation-years.ts';
import { earlyEnd } from '../../journey/early-end.ts';
import { STILL_SEND } from '../../journey/form-values.ts';
import { fill } from '../texts/fill.ts';
import { stateNames } from '../texts/state-names.ts';
import type { LaterParts, ScreenProps } from './screen-props.ts';

/** Replaces a contact step for a visitor whose case is decided already (docs/specification.md#told-early). */
export const insteadOf: NonNullable<LaterParts['insteadOf']> = (data, context, state) => {
  const { early } = data.texts.controls;
  const reason = earlyEnd(data, context, state);
  return (
    reason && { words: { question: early.title, help: early[reason] }, Screen: EarlyEndScreen }
  );
};

/**
 * Where to find help, and a button for those who still want to send. It is the step's own screen, so that steps and
 * times stay the same.
 */
function EarlyEndScreen(screen: ScreenProps) {
  const { texts, on } = screen;
  // The button that was pressed is gone with this screen.
  useEffect(() => () => document.getElementById('question')?.focus(), []);
  return (
    <div className="form">
      <div className="fields">
        <StateHelp {...screen} />
        <button
          type="submit"
          className="choice"
          name={STILL_SEND}
          value="yes"
          onClick={() => on.toggle(STILL_SEND, 'yes')}
        >
          {texts.controls.early.send}
        </button>
      </div>
    </div>
  );
}

/** The last day to claim in the visitor's state, under its present law, and who helps there. */
function StateHelp(screen: ScreenProps) {
  const { texts, answers } = screen;
  const { early } = texts.controls;
  const code = answers.state ?? '';
  const bar = barAssociations[code];
  const state = stateNames(texts.language)[code] ?? code;
  const lastDay = deadline(screen, code, state);
  return (
    <>
      {bar && lastDay && <p>{lastDay}</p>}
      <a className="button" href={bar ?? BAR_DIRECTORY} target="_blank" rel="noopener noreferrer">
        {bar ? fill(early.askBar, { state }) : early.askDirectory}
      </a>
    </>
  );
}

function deadline({ texts, answers, today }: ScreenProps, code: string, state: string) {
  const { was, is } = texts.controls.early;
  const incident = incidentDate(answers);
  const years = limitYears(code, 'present', incident);
  if (!incident || !years) return undefined;
  const last = { ...incident, year: incident.year + years };
  // Without the day of the accident, only the month of the deadline is known.
  const day = new Date(Date.UTC(last.year, last.month - 1, last.day)).toLocaleDateString(
    texts.language,
    {
      ...(answers.injury_day && { day: 'numeric' }),
      ...({ month: 'long', year: 'numeric', timeZone: 'UTC' } as const),
    },
  );
  return fill(daysBetween(last, today) > 0 ? was : is, { state, day });
}
