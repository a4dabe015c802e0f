import type { MouseEvent } from 'react';
import { fill } from '../texts/fill.ts';
import { FieldFrame, inputProps } from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

/** The spoken counter changes after this many characters. */
const SPOKEN_STEP_CHARACTERS = 50;

/** Returns the counter for screen readers, rounded so that they do not speak at every key. */
function spokenCount(count: number, limit: number, texts: ScreenProps['texts']): string {
  const left = limit - count;
  if (count === 0) return '';
  const rounded = Math.ceil(Math.abs(left) / SPOKEN_STEP_CHARACTERS) * SPOKEN_STEP_CHARACTERS;
  if (left < 0) return fill(texts.controls.counterOver, { over: rounded, limit });
  return fill(texts.controls.counterLeft, { left: Math.min(rounded, limit) });
}

/**
 * Adds a button's sentence to the description as typed text, unless it is there. Does not focus the field, because a
 * phone's keyboard would cover the page.
 */
function insertStarter({ currentTarget: button }: MouseEvent<HTMLButtonElement>): void {
  const input = button.form?.elements.namedItem('case_description') as HTMLTextAreaElement;
  const starter = button.dataset.starter as string;
  const { value } = input;
  if (value.includes(starter)) return;
  const gap = /\S$/.test(value) ? (/\p{P}$/u.test(value) ? ' ' : '. ') : '';
  // Unlike setting `value`, this is invisible to React, which then accepts the event as input.
  input.setRangeText(gap + starter, value.length, value.length, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Buttons with beginnings of the description. Hidden without a script (survey-steps.css), and from visitors who were
 * at fault, because the beginnings blame the other driver.
 */
function Starters({ screen: { name, texts, answers } }: { readonly screen: ScreenProps }) {
  const words = texts.steps[name];
  const isOnFoot = /^(Pedestrian|Bicycle)/.test(answers.accident_type ?? '');
  const starters = (isOnFoot ? words?.startersOnFoot : words?.starters) ?? [];
  if (starters.length === 0 || answers.at_Fault === 'yes') return null;
  return (
    <fieldset className="starters">
      <legend>{texts.controls.starters}</legend>
      {starters.map(([words, starter]) => (
        <button
          type="button"
          className="starter"
          key={words}
          data-starter={starter}
          onClick={insertStarter}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}

export function DescriptionField({ screen }: { readonly screen: ScreenProps }) {
  const { texts, settings, values } = screen;
  const limit = settings.descriptionLimit;
  const count = (values.case_description ?? '').trim().length;
  const over = count - limit;
  return (
    <FieldFrame name="case_description" screen={screen}>
      <Starters screen={screen} />
      <textarea
        {...inputProps('case_description', screen)}
        required
        rows={4}
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
