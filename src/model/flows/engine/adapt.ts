/** Changes that a survey's row makes to its flow. */
import type { AskedFieldName } from '../../fields/answers.ts';
import { askedFields } from '../../fields/asked-fields.ts';
import type { Choice, Edge, Flow, Step } from './flow.ts';

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

/** The step has the same name as in the one-to-one flow. */
const ZIP_STEP = 'ZipCode';

/** Returns whether a step is the last one and asks only for the phone number and the zip code. */
function asksPhoneAndZip({ submits, asks = [] }: Step): boolean {
  return submits === true && asks.toSorted().join() === 'phone,zip_code';
}

/** Returns the flow with the zip code on its own step before the phone number, if the last step asks both. */
export function withZipStep(flow: Flow): Flow {
  const last = Object.entries(flow.steps).find(([, step]) => asksPhoneAndZip(step));
  if (!last) return flow;
  const [name, step] = last;
  const redirected = (edge: Edge): Edge => {
    if (typeof edge === 'string') return edge === name ? ZIP_STEP : edge;
    return edge.to === name ? { ...edge, to: ZIP_STEP } : edge;
  };
  const zip: Step = {
    kind: 'form',
    asks: ['zip_code'],
    finds: ['state', 'state_choice'],
    next: [name],
    ...(step.stage && { stage: step.stage }),
  };
  const steps = Object.entries(flow.steps).flatMap(([each, own]): [string, Step][] =>
    each === name
      ? [
          [ZIP_STEP, zip],
          [name, { ...step, asks: ['phone'] }],
        ]
      : [[each, { ...own, next: own.next.map(redirected) }]],
  );
  return { ...flow, steps: Object.fromEntries(steps) };
}
