import { type MouseEvent, useEffect } from 'react';
import { hitAndRun, type Scenario, scenarios } from '../../../../content/scenarios.ts';
import { toggleSentence } from '../../../model/visit/toggle-sentence.ts';
import { CrashDrawing } from '../page/art/crash.tsx';
import { fill } from '../texts/shared.ts';
import { FieldFrame, inputProps } from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

/** Number of characters between two announcements of the counter by screen readers. */
const SPOKEN_STEP_CHARACTERS = 50;

/** Returns the counter's text, rounded so that screen readers do not announce every key. */
function spokenCount(count: number, limit: number, texts: ScreenProps['texts']): string {
  const left = limit - count;
  if (count === 0) return '';
  const rounded = Math.ceil(Math.abs(left) / SPOKEN_STEP_CHARACTERS) * SPOKEN_STEP_CHARACTERS;
  if (left < 0) return fill(texts.controls.counterOver, { over: rounded, limit });
  return fill(texts.controls.counterLeft, { left: Math.min(rounded, limit) });
}

/** Returns the scenarios that can be true for the visitor, with the sentences in one language. */
function scenariosOf({ at, flow, step, texts, answers, values }: ScreenProps) {
  // These steps ask why the police stopped the visitor.
  if (flow.id === 'ticket' || at.startsWith('DUI')) return [];
  // If the start button sets the type of the accident, the visitor has not chosen the type.
  const isChosen = !flow.steps[flow.start]?.sets;
  const { accident_type = '', at_Fault } = { ...answers, ...values };
  const [kind = ''] = isChosen ? accident_type.split(' ') : [];
  const group =
    { Pedestrian: 'onFoot', Bicycle: 'bicycle', Car: 'vehicle', Truck: 'vehicle' }[kind] ??
    (kind === 'Motorcycle' ? 'vehicle' : 'unknown');
  const all: readonly Scenario[] = scenarios[group as keyof typeof scenarios];
  const shown = step.choices ? all : [...all.slice(0, -1), hitAndRun];
  return shown.map(({ crash, label, sentence, atFault }) => ({
    crash,
    label: label[texts.language],
    sentence: ((at_Fault === 'yes' && atFault) || sentence)[texts.language],
  }));
}

/** Buttons that each write a sentence about the accident into the description. */
function Scenarios(screen: ScreenProps) {
  const { texts, values } = screen;
  const { scenarios: legend, written } = texts.controls;
  const shown = scenariosOf(screen);
  if (shown.length === 0) return null;
  const sentences = shown.map(({ sentence }) => sentence);
  // Hit and run, the last scenario, can follow any crash.
  const crashes = screen.step.choices ? sentences : sentences.slice(0, -1);
  const text = values.case_description ?? '';
  // Neither focuses the field nor selects text in it, because a phone's keyboard would open.
  const write = ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
    // The second tap of a double tap would remove the sentence.
    if (detail > 1) return;
    const input = document.getElementById('field-case_description') as HTMLTextAreaElement;
    const changed = toggleSentence(input.value, currentTarget.value, crashes);
    // React would ignore the input event if this code set the property that React has replaced.
    Reflect.set(HTMLTextAreaElement.prototype, 'value', changed, input);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <fieldset className="scenarios">
      <legend>{legend}</legend>
      {shown.map(({ crash, label, sentence }) => (
        // biome-ignore lint/a11y/useButtonType: sends the form without a script (survey-view.tsx)
        <button
          className="choice scenario"
          name="scenario"
          value={sentence}
          aria-pressed={text.includes(sentence)}
          key={crash}
          onClick={write}
        >
          <CrashDrawing name={crash} />
          <span>{label}</span>
        </button>
      ))}
      <p className="sr-only" role="status">
        {sentences
          .filter((sentence) => text.includes(sentence))
          .map((sentence) => fill(written, { sentence }))
          .join(' ')}
      </p>
    </fieldset>
  );
}

/** Smallest height in pixels by which a phone's keyboard shortens the visible page. */
const KEYBOARD_HEIGHT = 100;
const KEYBOARD_GAP = 8;

/** Keeps the form's button above a phone's keyboard, which covers the page's lower part. */
function followKeyboard() {
  const view = window.visualViewport;
  if (!view) return;
  const { style } = document.documentElement;
  const follow = ({ type }: Pick<Event, 'type'>) => {
    const bottom = view.offsetTop + view.height;
    const hidden = window.innerHeight - bottom;
    const isOpen = view.scale < 1.1 && window.innerHeight - view.height > KEYBOARD_HEIGHT;
    // The style sheet sets the button's place and makes room to scroll.
    if (isOpen) style.setProperty('--keyboard', `${Math.max(0, hidden) + KEYBOARD_GAP}px`);
    else style.removeProperty('--keyboard');
    const field = document.activeElement;
    if (!isOpen || type !== 'resize' || field?.id !== 'field-case_description') return;
    const form = field.closest('.form') as Element;
    const below = form.getBoundingClientRect().bottom + KEYBOARD_GAP - bottom;
    const above = field.getBoundingClientRect().top - KEYBOARD_GAP - view.offsetTop;
    if (below > 0) window.scrollBy(0, Math.min(below, above));
  };
  view.addEventListener('resize', follow);
  view.addEventListener('scroll', follow);
  return () => {
    view.removeEventListener('resize', follow);
    view.removeEventListener('scroll', follow);
    style.removeProperty('--keyboard');
  };
}

/** The field for the description of the accident, below the scenarios. */
export function DescriptionField(screen: ScreenProps) {
  const { texts, settings, values } = screen;
  const limit = settings.descriptionLimit;
  const count = (values.case_description ?? '').trim().length;
  const over = count - limit;
  useEffect(followKeyboard, []);
  return (
    <FieldFrame name="case_description" screen={screen}>
      <Scenarios {...screen} />
      <textarea
        {...inputProps('case_description', screen)}
        required
        rows={3}
        defaultValue={values.case_description ?? ''}
      />
      <p className={over > 0 ? 'counter counter--over' : 'counter'} aria-hidden="true">
        {over > 0
          ? fill(texts.controls.counterOver, { over, limit })
          : fill(texts.controls.counter, { count, limit })}
      </p>
      <p className="sr-only" aria-live="polite">
        {spokenCount(count, limit, texts)}
      </p>
    </FieldFrame>
  );
}
