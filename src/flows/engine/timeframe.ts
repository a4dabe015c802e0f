import type { AskedFieldName } from '../../domain/answers.ts';
import { askedFields } from '../../domain/asked-fields.ts';
import type { Choice, Flow, Step } from './flow.ts';

const dateFields: readonly AskedFieldName[] = ['injury_month', 'injury_year', 'injury_day'];
const isOfDate = (field: string) => dateFields.includes(field as AskedFieldName);

/** One button per timeframe, the most recent first. */
const choices: readonly Choice[] = (askedFields.accident_date_button.values ?? []).map(
  (accident_date_button) => ({ accident_date_button }),
);

/** Returns the step with the timeframe in place of its date questions, if any. */
function withTimeframeAt(step: Step): Step {
  const { asks = [], optional = [], sets, ...rest } = step;
  const first = asks.find(isOfDate);
  if (first === undefined) return step;
  const kept = Object.entries(sets ?? {}).filter(([field]) => !isOfDate(field));
  const own = kept.length > 0 ? { ...rest, sets: Object.fromEntries(kept) } : rest;
  if (step.kind === 'accident-date') return { ...own, kind: 'choice', choices };
  return {
    ...own,
    asks: asks.flatMap((field) => {
      if (field === first) return ['accident_date_button'];
      return isOfDate(field) ? [] : [field];
    }),
    ...(optional.length > 0 && { optional: optional.filter((field) => !isOfDate(field)) }),
  };
}

/**
 * Returns the flow with the accident-timeframe question in place of month, year and day
 * (docs/specification.md#accident-date-steps): as buttons if the date is a separate step, as a question
 * if it is in a form. Step names and edges stay.
 */
export function withTimeframe(flow: Flow): Flow {
  const steps = Object.entries(flow.steps).map(([name, step]) => [name, withTimeframeAt(step)]);
  return { ...flow, steps: Object.fromEntries(steps) };
}
