import { count, percent } from '../../format.ts';
import { DifferenceText } from './drop.tsx';
import { completion, difference } from './funnel.ts';
import type { FunnelView } from './view.ts';

/** Shows the share of visits that sent the last form, as the page's one figure. */
export function Conversion({ view: { now, other } }: { readonly view: FunnelView }) {
  const own = completion(now);
  const found = other && difference(own, completion(other));
  return (
    <p className="conversion">
      <strong>{percent(own.part, own.of)}</strong>
      <span className="quiet">
        {count(own.part)} of {count(own.of)} visits sent the last form
        {found && <DifferenceText of={found} />}
      </span>
    </p>
  );
}
