/** Changes to a flow that a survey's configuration asks for. */
import type { AskedFieldName } from '../../fields/answers.ts';
import { askedFields } from '../../fields/asked-fields.ts';
import type { Choice, Edge, Flow, Step } from './flow.ts';

const dateFields: readonly AskedFieldName[] = ['injury_month', 'injury_year', 'injury_day'];
const isOfDate = (field: string) => dateFields.includes(field as AskedFieldName);

/** A button for each timeframe, the most recent first. */
const choices: readonly Choice[] = (askedFields.accident_date_button.values ?? []).map(
  (accident_date_button) => ({ accident_date_button }),
);

/** Replaces a step's date questions, if any, by the question for the accident timeframe. */
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
 * Replaces a flow's questions for the accident date by the accident timeframe
 * (docs/specification.md#accident-date-steps). Step names and edges stay.
 */
export function withTimeframe(flow: Flow): Flow {
  const steps = Object.entries(flow.steps).map(([name, step]) => [name, withTimeframeAt(step)]);
  return { ...flow, steps: Object.fromEntries(steps) };
}

/** Name of the added step. The one-to-one flow has a step of this name, too. */
const ZIP_STEP = 'ZipCode';

/** Returns whether a step posts the lead and asks only for the phone number and the zip code. */
function asksPhoneAndZip({ submits, asks = [] }: Step): boolean {
  return submits === true && asks.toSorted().join() === 'phone,zip_code';
}

/** Splits a last step that asks for phone number and zip code: the zip code gets a step of its own before it. */
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
