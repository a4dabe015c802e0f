import { count, duration, NONE, percent } from '../../format.ts';
import { Go } from '../../parts/link.tsx';
import { Code } from '../../parts/values.tsx';
import { DifferenceText, Drop } from './drop.tsx';
import { type GraphEdge, SENT, whenWords } from './flow-graph.ts';
import { completion, difference, dropOff, edgeShare, type Ratio } from './funnel.ts';
import { type FunnelView, fieldIn, titleIn } from './view.ts';

type DetailProps = { readonly view: FunnelView; readonly step: string };

/** Tells everything that was counted at one step. */
export function StepDetail({ view, step }: DetailProps) {
  const { graph, now, other } = view;
  const own = now.step(step);
  const isEnd = graph.nodes.find(({ id }) => id === step)?.isEnd === true;
  const onward = graph.edges.filter(({ from }) => from === step);
  return (
    <div className="step-detail">
      <h2>{titleIn(view, step)}</h2>
      {step === SENT ? (
        <SentDetail view={view} />
      ) : (
        <>
          <p>
            <Code>{step}</Code>
          </p>
          <dl>
            <dt>Seen by</dt>
            <dd>
              {count(own.seen)} visits, {percent(own.seen, now.visits)} of all
            </dd>
            {!isEnd && (
              <>
                <dt>Leave here</dt>
                <dd>
                  {count(own.left)}{' '}
                  <Drop
                    now={dropOff(graph, now, step)}
                    other={other && dropOff(graph, other, step)}
                    word="of those"
                  />
                </dd>
              </>
            )}
            <dt>Median time</dt>
            <dd>{own.medianSeconds === null ? NONE : duration(1000 * own.medianSeconds)}</dd>
            <dt>Went back</dt>
            <dd>
              {count(own.wentBack)} ({percent(own.wentBack, own.seen)})
            </dd>
          </dl>
          <Refused view={view} step={step} />
          {onward.length > 0 && <Onward view={view} edges={onward} />}
        </>
      )}
    </div>
  );
}

function SentDetail({ view: { now, other, otherName, leads } }: { readonly view: FunnelView }) {
  const own = completion(now);
  const before = other && completion(other);
  const found = before && difference(own, before);
  return (
    <>
      <p>
        {count(own.part)} of {count(own.of)} visits sent the last form: {percent(own.part, own.of)}
        {before && `, against ${percent(before.part, before.of)} (${otherName})`}
        {found && <DifferenceText of={found} />}.
      </p>
      {leads && (
        <p>
          <Go to={leads} className="text-link">
            See their leads
          </Go>
        </p>
      )}
    </>
  );
}

function Refused({ view, step }: DetailProps) {
  const { refused, seen } = view.now.step(step);
  if (refused.length === 0) return null;
  return (
    <>
      <h3>Refused fields</h3>
      <ul className="detail-list">
        {refused.map(({ field, visits }) => (
          <li key={field}>
            <span>
              {fieldIn(view, field)} <Code>{field}</Code>
            </span>
            <span className="count">
              {count(visits)} <span className="quiet">{percent(visits, seen)}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Onward({
  view,
  edges,
}: {
  readonly view: FunnelView;
  readonly edges: readonly GraphEdge[];
}) {
  const { graph, now, other } = view;
  return (
    <>
      <h3>Goes on to</h3>
      <ul className="detail-list">
        {edges.map((edge) => {
          const share = edgeShare(graph, now, edge);
          return (
            <li key={edge.to}>
              <span>
                {titleIn(view, edge.to)}{' '}
                <span className="quiet when">{whenWords(edge, graph)}</span>
              </span>
              <span className="count">
                {count(share.part)}{' '}
                <EdgeShare now={share} before={other && edgeShare(graph, other, edge)} />
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function EdgeShare({ now, before }: { readonly now: Ratio; readonly before: Ratio | undefined }) {
  const found = before && difference(now, before);
  return (
    <span className="quiet">
      {percent(now.part, now.of)}
      {found && <DifferenceText of={found} />}
    </span>
  );
}
