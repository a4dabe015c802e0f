import { type MouseEvent, useLayoutEffect } from 'react';
import { waAuthorization } from '../../../../content/consent/wa-authorizations.ts';
import { rareWords } from '../../../../content/rare-words.ts';
import type { ContactDetails } from '../../../model/fields/contact-parameters.ts';
import { daysBetween, formatIso } from '../../../model/fields/dates.ts';
import { suggestEmail } from '../../../model/fields/typos.ts';
import { type Flow, inputFields } from '../../../model/flows/engine/flow.ts';
import { type WalkContext, walk } from '../../../model/flows/engine/walk.ts';
import { type PrefillAnswer, prefillPath } from '../../../model/messages/prefill.ts';
import {
  authorizationText,
  firmsToAuthorize,
  readAuthorization,
} from '../../../model/rules/authorization-text.ts';
import barAssociations from '../../../model/rules/bar-associations.json' with { type: 'json' };
import { HEALTH_AUTHORIZATION } from '../../../model/rules/health-authorization.ts';
import { isDayOfAccidentKnown, lastDaysToSue } from '../../../model/rules/limitation.ts';
import { closedState } from '../../../model/visit/closed-state.ts';
import { earlyEnd } from '../../../model/visit/early-end.ts';
import { isToggled, STILL_SEND, USE_EMAIL } from '../../../model/visit/form-values.ts';
import { prefillDrafts, withPrefill } from '../../../model/visit/prefill.ts';
import type { VisitAction, VisitState } from '../../../model/visit/state.ts';
import { fill } from '../texts/shared.ts';
import { stateName, stateNames } from '../texts/state-names.ts';
import { CallButton, type Option, ScreenForm, SelectField, TextField } from './field.tsx';
import { dayOptions, monthOptions } from './form-screens.tsx';
import type { ScreenProps, SurveyPageData } from './screen-props.ts';

/** Shows a result screen, which explains the answers and has the phone number to call. */
export function ResultScreen({ at, texts, answers, settings }: ScreenProps) {
  const given: Readonly<Record<string, string>> = answers;
  const notes = Object.entries(texts.steps[at]?.notes ?? {}).filter(([answer]) => {
    const [field = '', value] = answer.split('=');
    return given[field] === value;
  });
  return (
    <>
      {notes.length > 0 && (
        <ul className="notes">
          {notes.map(([answer, note]) => (
            <li key={answer}>{note}</li>
          ))}
        </ul>
      )}
      <CallButton texts={texts} settings={settings} />
    </>
  );
}

/** The screen for the date of birth, in the language's order of day, month and year. */
export function DateOfBirthScreen(screen: ScreenProps) {
  const { texts, values } = screen;
  const select = (part: 'month' | 'day', options: readonly Option[]) => (
    <SelectField
      name={`date_of_birth_${part}`}
      screen={screen}
      options={options}
      empty={texts.controls.choose}
      autoComplete={`bday-${part}`}
      key={part + options.length}
    />
  );
  const month = select('month', monthOptions(texts.months));
  const day = select('day', dayOptions(values.date_of_birth_month, values.date_of_birth_year));
  return (
    <ScreenForm screen={screen}>
      <div className="fields fields--date">
        {texts.language === 'es' ? [day, month] : [month, day]}
        <TextField name="date_of_birth_year" screen={screen} last />
      </div>
    </ScreenForm>
  );
}

/** Offers the likely e-mail address in place of a mistyped one. */
export function EmailDoubt({ step, values, texts, on }: ScreenProps) {
  const email = suggestEmail(values.email ?? '') ?? '';
  const correct = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    const input = form?.elements.namedItem('email') as HTMLInputElement;
    input.value = email;
    on.toggle('email', email);
    input.focus();
  };
  return (
    <>
      <p className="error" id="error-email">
        {fill(texts.fields.email?.errors.doubtful ?? '', { email })}
      </p>
      {/* biome-ignore lint/a11y/useButtonType: sends the form without a script (survey-view.tsx) */}
      <button name={USE_EMAIL} value={email} className="link correction" onClick={correct}>
        {fill(texts.controls.correct, { email })}
      </button>
      {/* On a contact step, only the button that the consent names may send the lead. */}
      {step.kind !== 'contact' && (
        // biome-ignore lint/a11y/useButtonType: only the main button has type=submit (survey-view.tsx)
        <button className="link correction">{texts.controls.keepMine}</button>
      )}
    </>
  );
}

/** Asks for the US state if the ZIP code is unknown (docs/specification.md#zip-look-up). */
export function StateChoice({ values, texts, on }: ScreenProps) {
  const { label, outside } = rareWords[texts.language].choice;
  const names = Object.entries(stateNames(texts.language));
  return (
    <>
      <label htmlFor="field-state_choice">{label}</label>
      <select
        id="field-state_choice"
        name="state_choice"
        defaultValue={values.state_choice}
        onChange={({ target: { value } }) => {
          const state = value === 'outside' ? '' : value;
          on.toggle('state_choice', value);
          if (state !== (values.state ?? '')) on.toggle('state', state || (values.state ?? ''));
        }}
      >
        <option value="">{texts.controls.choose}</option>
        {names.map(([code, name]) => (
          <option value={code} key={code}>
            {name}
          </option>
        ))}
        <option value="outside">{outside}</option>
      </select>
    </>
  );
}

/** Returns the screen and texts that replace a contact step (docs/specification.md#told-early). */
export function insteadOf(data: SurveyPageData, context: WalkContext, state: VisitState) {
  if (HEALTH_AUTHORIZATION in state.errors) {
    return { words: waAuthorization.words[data.texts.language], Screen: AuthorizationScreen };
  }
  const reason = earlyEnd(data, context, state);
  if (!reason) return undefined;
  const { language, steps } = data.texts;
  const { early, stateUnsure } = rareWords[language];
  const { answers } = walk(data.flow, state.given, context, state.at);
  const known = closedState(data, answers, undefined);
  const words = known ? early : { ...early, ...stateUnsure };
  const name = stateName(language, known ?? context.state ?? '');
  const help = fill(words[reason], { state: name });
  if (reason === 'accepted') return { words: { ...steps[state.at]!, help } };
  return { words: { question: early.title, help }, Screen: EarlyEndScreen };
}

/** Shows the deadline under a US state's present law, and a link to the state's bar association. */
function EarlyEndScreen(screen: ScreenProps) {
  const { texts, on, answers, visitState } = screen;
  const { early } = rareWords[texts.language];
  const closed = closedState(screen, answers, visitState);
  const code = closed ?? answers.state ?? '';
  const bar = (barAssociations as Readonly<Record<string, string>>)[code];
  const lastDay = bar && deadline(screen, code);
  // The pressed button disappears with this screen, so the question gets the focus.
  useLayoutEffect(() => focusQuestion, []);
  return (
    <div className="form">
      <div className="fields">
        {lastDay && <p>{lastDay}</p>}
        <a
          className="button"
          href={bar ?? barAssociations.directory}
          target="_blank"
          rel="noopener noreferrer"
        >
          {bar
            ? fill(early.askBar, { state: stateName(texts.language, code) })
            : early.askDirectory}
        </a>
        <button
          type="submit"
          className="choice"
          name={STILL_SEND}
          value="yes"
          onClick={() => on.toggle(STILL_SEND, 'yes')}
        >
          {closed ? early.goOn : early.send}
        </button>
      </div>
    </div>
  );
}

export { firmsToAuthorize, readAuthorization };

function focusQuestion(): void {
  document.getElementById('question')?.focus();
}

/** Asks for the authorization to sell health answers. The form repeats the contact step's fields. */
function AuthorizationScreen(screen: ScreenProps) {
  const { texts, settings, answers, values, today, step, fields, consent, on } = screen;
  const { companyName: company, contactEmail: email, authorizedFirms } = settings;
  const { language } = texts;
  const firms = firmsToAuthorize({ ...answers, ...values }, authorizedFirms);
  const text = authorizationText(waAuthorization, language, { company, email, firms }, today);
  // The server takes a posted value of these fields for a pressed button.
  const typed = inputFields(step).filter((name) => !isToggled(fields[name]));
  const posted: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries([...typed, 'state_choice' as const].map((name) => [name, values[name]])),
    consent: consent.digest,
    firms: answers.displayed_buyer_ids,
    health_authorization_text: text,
  };
  // The pressed button disappears with its screen, so the question gets the focus.
  useLayoutEffect(() => {
    focusQuestion();
    return focusQuestion;
  }, []);
  return (
    <div className="form authorization" translate="no">
      {text.split('\n').map((line) => {
        const end = line.indexOf(':') + 1;
        return (
          <p key={line}>
            <strong>{line.slice(0, end)}</strong>
            {line.slice(end)}
          </p>
        );
      })}
      {Object.entries(posted).map(
        ([name, value]) =>
          value !== undefined && <input type="hidden" name={name} value={value} key={name} />,
      )}
      <div className="fields">
        {(['yes', 'no'] as const).map((answer) => (
          <button
            type="submit"
            className="choice"
            name={HEALTH_AUTHORIZATION}
            value={answer}
            onClick={() => on.toggle(HEALTH_AUTHORIZATION, answer)}
            key={answer}
          >
            {waAuthorization.words[language][answer]}
          </button>
        ))}
      </div>
    </div>
  );
}

function deadline({ texts, answers, today }: ScreenProps, code: string): string | undefined {
  const { was, is } = rareWords[texts.language].early;
  const [last] = lastDaysToSue(code, answers);
  if (!last) return undefined;
  const isDayKnown = isDayOfAccidentKnown(answers);
  const day = new Date(formatIso(last)).toLocaleDateString(texts.language, {
    day: isDayKnown ? 'numeric' : undefined,
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  // Spanish needs "el 5 de mayo", but "en mayo".
  const article = texts.language === 'es' ? (isDayKnown ? 'el ' : 'en ') : '';
  const state = stateName(texts.language, code);
  return fill(daysBetween(last, today) > 0 ? was : is, { state, day: article + day });
}

/** Fills empty contact fields from the landing page's URL. The visitor confirms the values. */
export async function prefill(
  runner: {
    dispatch(action: VisitAction): boolean;
    getState(): VisitState;
    store(): Promise<void>;
  },
  flow: Flow,
  details: ContactDetails,
  affid: string,
): Promise<void> {
  const response = await fetch(`${prefillPath}?affid=${affid}`);
  const { result } = (await response.json()) as PrefillAnswer;
  if (result !== 'yes' || runner.getState().phase !== 'asking') return;
  const change = withPrefill(runner.getState(), prefillDrafts(flow, details));
  runner.dispatch({ type: 'changed', change });
  await runner.store();
}
