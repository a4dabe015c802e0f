import type { AskedFieldName } from '../../fields/answers.ts';
import { askedFields } from '../../fields/asked-fields.ts';
import type { Choice, Edge, Flow, Step } from './flow.ts';

const dateFields: readonly AskedFieldName[] = ['injury_month', 'injury_year', 'injury_day'];
const isOfDate = (field: string) => dateFields.includes(field as AskedFieldName);

const choices: readonly Choice[] = (askedFields.accident_date_button.values ?? []).map(
  (accident_date_button) => ({ accident_date_button }),
);

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

/** Returns a flow that asks for a timeframe (docs/specification.md#accident-date-steps). */
export function withTimeframe(flow: Flow): Flow {
  const steps = Object.entries(flow.steps).map(([name, step]) => [name, withTimeframeAt(step)]);
  return { ...flow, steps: Object.fromEntries(steps) };
}

const ZIP_STEP = 'ZipCode';

function asksPhoneAndZip({ submits, asks = [] }: Step): boolean {
  return submits === true && asks.toSorted().join() === 'phone,zip_code';
}

/** Returns a flow that asks for the zip code on a separate step. */
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
