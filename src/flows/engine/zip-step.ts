import type { Edge, Flow, Step } from './flow.ts';

/** The step has the same name as in the one-to-one flow. */
const ZIP_STEP = 'ZipCode';

/** Returns whether a step is the last one and asks only for the phone number and the zip code. */
function asksPhoneAndZip({ submits, asks = [] }: Step): boolean {
  return (
    submits === true &&
    asks.length === 2 &&
    ['phone', 'zip_code'].every((field) => asks.some((each) => each === field))
  );
}

/**
 * Returns the flow with the zip code on a separate step right before the phone number
 * (docs/specification.md#contact-steps). Any other last step stays as it is.
 */
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
