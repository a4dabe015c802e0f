import { count, duration, NONE } from '../../format.ts';
import { Go } from '../../parts/link.tsx';
import { Drop } from './drop.tsx';
import { dropOff } from './funnel.ts';
import { usualSeconds, worstSteps } from './sentences.ts';
import { type FunnelView, titleIn } from './view.ts';

type PictureProps = { readonly view: FunnelView; readonly onSelect: (step: string) => void };

/** Shows the flow as a whole: visits, time, and the steps at which most leave. */
export function Picture({ view, onSelect }: PictureProps) {
  const { graph, now, other, leads } = view;
  const seconds = usualSeconds(graph, now);
  const worst = worstSteps(graph, now);
  return (
    <div className="step-detail">
      <h2>The whole flow</h2>
      <dl>
        <dt>Visits</dt>
        <dd>{count(now.visits)}</dd>
        <dt>Sent</dt>
        <dd>
          {count(now.completed)}{' '}
          {leads && (
            <Go to={leads} className="text-link">
              See their leads
            </Go>
          )}
        </dd>
        <dt>Median time</dt>
        <dd>
          {seconds === null ? NONE : duration(1000 * seconds)}{' '}
          <span className="quiet when">the steps of the most taken way, added</span>
        </dd>
      </dl>
      {worst.length > 0 && (
        <>
          <h3>Most leave at</h3>
          <ol className="detail-list">
            {worst.map((step) => (
              <li key={step}>
                <button
                  type="button"
                  className="text-link worst-step"
                  onClick={() => onSelect(step)}
                >
                  {titleIn(view, step)}
                </button>
                <span className="count">
                  {count(now.step(step).left)}{' '}
                  <Drop
                    now={dropOff(graph, now, step)}
                    other={other && dropOff(graph, other, step)}
                    word=""
                  />
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      <p className="quiet">Point at a step for its numbers.</p>
    </div>
  );
}
