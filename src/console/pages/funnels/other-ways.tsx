import { count } from '../../format.ts';
import { Card } from '../../parts/page.tsx';
import { Code } from '../../parts/values.tsx';
import { SENT } from './flow-graph.ts';
import type { Funnel } from './funnel.ts';

/** Lists the edges that visitors took and that the flow does not define. */
export function OtherWays({ funnel: { others } }: { readonly funnel: Funnel }) {
  if (others.length === 0) return null;
  return (
    <Card title="Ways that this flow does not define">
      <p className="quiet other-why">
        Visitors took them in the period, so the flow or the survey’s row was different then. They
        are counted at their steps, and not drawn above.
      </p>
      <ul className="other-ways">
        {others.map(({ from, to, visits }) => (
          <li key={`${from}>${to}`}>
            <span>
              <Code>{from}</Code> → {to === SENT ? 'lead sent' : <Code>{to}</Code>}
            </span>
            <span className="count">{count(visits)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
