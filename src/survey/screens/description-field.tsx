import { fill } from '../texts/fill.ts';
import { FieldFrame, inputProps } from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

/** The spoken counter changes only when another so many characters are typed. */
const SPOKEN_STEP_CHARACTERS = 50;

/** What a screen reader is told of the counter: rounded, so that it does not speak at every key. */
function spokenCount(count: number, limit: number, texts: ScreenProps['texts']): string {
  const left = limit - count;
  if (left < 0) return texts.controls.counterOver;
  if (count === 0) return '';
  const rounded = Math.ceil(left / SPOKEN_STEP_CHARACTERS) * SPOKEN_STEP_CHARACTERS;
  return fill(texts.controls.counterLeft, { left: Math.min(rounded, limit) });
}

/** The case description with its live counter. */
export function DescriptionField({ screen }: { readonly screen: ScreenProps }) {
  const { texts, settings, values } = screen;
  const limit = settings.descriptionLimit;
  const count = (values.case_description ?? '').trim().length;
  return (
    <FieldFrame name="case_description" screen={screen}>
      <textarea
        {...inputProps('case_description', screen)}
        required
        rows={5}
        defaultValue={values.case_description ?? ''}
      />
      <p className={count > limit ? 'counter counter--over' : 'counter'} aria-hidden="true">
        {fill(texts.controls.counter, { count, limit })}
      </p>
      <p className="sr-only" aria-live="polite">
        {spokenCount(count, limit, texts)}
      </p>
    </FieldFrame>
  );
}
