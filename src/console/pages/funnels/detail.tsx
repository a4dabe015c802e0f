import type { Language } from '../../../domain/language.ts';
import { count, duration, NONE, percent } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { Code, Facts } from '../../parts/values.tsx';
import { fieldTitle, type GraphEdge, SENT, stepTitle, whenWords } from './flow-graph.ts';
import {
  type Difference,
  difference,
  dropBounds,
  dropClass,
  FEW,
  type Funnel,
  type Ratio,
  worstSteps,
} from './funnel.ts';

/** What the parts of the page share: the numbers on their flow, and the words of the survey. */
export type FunnelView = {
  readonly flowId: string;
  readonly language: Language;
  readonly now: Funnel;
  /** The second selection, and what it is called, such as `source google`. */
  readonly other: Funnel | undefined;
  readonly otherName: string;
  /** The list of the selection's leads. */
  readonly leads: string;
};

/** Returns a step's question. */
export function titleIn({ language, flowId }: FunnelView, step: string): string {
  return stepTitle(language, flowId, step);
}

/** Returns the colour class of a drop-off: by its size, or by its difference from the second selection. */
export function dropTone({ now, other }: FunnelView, step: string): string {
  const own = now.dropOff(step);
  if (other === undefined) return `drop-${dropClass(own) ?? 'few'}`;
  const found = difference(own, other.dropOff(step));
  if (!found?.isClear) return 'drop-few';
  return found.points > 0 ? 'drop-more' : 'drop-fewer';
}

type StepProps = { readonly view: FunnelView; readonly step: string };

/** Shows a step's drop-off, and its difference from the second selection. */
export function Drop({ view, step, word = '' }: StepProps & { readonly word?: string }) {
  return (
    <span className={`drop ${dropTone(view, step)}`}>
      <Share now={view.now.dropOff(step)} other={view.other?.dropOff(step)} word={word} />
    </span>
  );
}

type ShareProps = {
  readonly now: Ratio;
  readonly other: Ratio | undefined;
  readonly word?: string;
};

/** Writes a share with its difference from another one in percentage points, and an arrow if it is clear. */
export function Share({ now, other, word = '' }: ShareProps) {
  const found = difference(now, other);
  return (
    <>
      {percent(now.part, now.of)} {word}
      {found && (
        <span className={found.isClear ? 'points clear' : 'points'}>
          {' '}
          <span aria-hidden="true">{found.isClear && (found.points > 0 ? '▲' : '▼')}</span>
          {pointsText(found)}
          <span className="visually-hidden">
            {' '}
            points{found.isClear ? ', more than chance may explain' : ', may be chance'}
          </span>
        </span>
      )}
    </>
  );
}

function pointsText({ points }: Difference): string {
  const text = Math.abs(points).toFixed(1);
  if (text === '0.0') return '±0';
  return `${points > 0 ? '+' : '−'}${text}`;
}

/** Writes a median time. */
export function secondsText(seconds: number | null): string {
  return seconds === null ? NONE : duration(1000 * seconds);
}

/** Tells everything that was counted at one step. */
export function StepDetail({ view, step }: StepProps) {
  const { now, other, otherName, leads, language } = view;
  const { seen, left, medianSeconds, wentBack, refused } = now.step(step);
  const onward = now.graph.edges.filter(({ from }) => from === step);
  if (step === SENT) {
    const { part, of } = now.completion;
    return (
      <div className="stack">
        <h2>{titleIn(view, step)}</h2>
        <p>
          {count(part)} of {count(of)} visits sent the last form:{' '}
          <Share now={now.completion} other={other?.completion} />
          {other && ` against ${otherName}`}.
        </p>
        <Go to={leads}>See their leads</Go>
      </div>
    );
  }
  return (
    <div className="stack">
      <h2>{titleIn(view, step)}</h2>
      <p>
        <Code>{step}</Code>
      </p>
      <Facts
        of={{
          'Seen by': `${count(seen)} visits, ${percent(seen, now.visits)} of all`,
          'Leave here': now.dropOff(step).of > 0 && (
            <>
              {count(left)} <Drop view={view} step={step} word="of those" />
            </>
          ),
          'Median time': secondsText(medianSeconds),
          'Went back': `${count(wentBack)} (${percent(wentBack, seen)})`,
        }}
      />
      {refused.length > 0 && <h3>Refused fields</h3>}
      <ul className="detail-list">
        {refused.map(({ field, visits }) => (
          <li key={field}>
            <span>
              {fieldTitle(language, field)} <Code>{field}</Code>
            </span>
            <span className="count">
              {count(visits)} <span className="quiet">{percent(visits, seen)}</span>
            </span>
          </li>
        ))}
      </ul>
      {onward.length > 0 && <h3>Goes on to</h3>}
      <ul className="detail-list">
        {onward.map((edge) => (
          <Onward key={edge.to} view={view} edge={edge} />
        ))}
      </ul>
    </div>
  );
}

function Onward({ view, edge }: { readonly view: FunnelView; readonly edge: GraphEdge }) {
  const { now, other } = view;
  const share = now.edgeShare(edge);
  return (
    <li>
      <span>
        {titleIn(view, edge.to)} <span className="quiet fine">{whenWords(edge, now.graph)}</span>
      </span>
      <span className="count">
        {count(share.part)}{' '}
        <span className="quiet">
          <Share now={share} other={other?.edgeShare(edge)} />
        </span>
      </span>
    </li>
  );
}

type PictureProps = { readonly view: FunnelView; readonly onSelect: (step: string) => void };

/** Shows the flow as a whole: visits, time, and the steps at which most leave. */
export function Picture({ view, onSelect }: PictureProps) {
  const { now, leads } = view;
  const worst = worstSteps(now);
  return (
    <div className="stack">
      <h2>The whole flow</h2>
      <Facts
        of={{
          Visits: count(now.visits),
          Sent: (
            <>
              {count(now.completion.part)} <Go to={leads}>See their leads</Go>
            </>
          ),
        }}
      />
      {worst.length > 0 && <h3>Most leave at</h3>}
      <ol className="detail-list">
        {worst.map((step) => (
          <li key={step}>
            <button type="button" className="text-link" onClick={() => onSelect(step)}>
              {titleIn(view, step)}
            </button>{' '}
            <span className="count">
              {count(now.step(step).left)} <Drop view={view} step={step} />
            </span>
          </li>
        ))}
      </ol>
      <p className="quiet">Point at a step for its numbers.</p>
    </div>
  );
}

/** Says what widths and colours mean. */
export function Legend({ isCompared }: { readonly isCompared: boolean }) {
  return (
    <ul className="flow-key row fine quiet" aria-label="Legend">
      <li>Width of a line: visits</li>
      {(isCompared ? comparedLegend : plainLegend).map(({ tone, text }) => (
        <li key={tone} className={`drop ${tone}`}>
          {text}
        </li>
      ))}
    </ul>
  );
}

const plainLegend = [
  ...dropBounds.map((bound, index) => {
    const next = dropBounds[index + 1];
    const text = next === undefined ? `${bound} % or more` : `${bound} to ${next} %`;
    return { tone: `drop-${index}`, text: index === 0 ? `${text} leave at the step` : text };
  }),
  { tone: 'drop-few', text: `fewer than ${FEW} visits` },
];

const comparedLegend = [
  { tone: 'drop-more', text: '▲ more leave' },
  { tone: 'drop-fewer', text: '▼ fewer leave' },
  { tone: 'drop-few', text: 'no more difference than chance may explain (99 %)' },
];
