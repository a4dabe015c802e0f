import type { Language } from '../../../../model/fields/language.ts';
import { count, durationText, percent, pointsText } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { Code, Facts } from '../../parts/values.tsx';
import { fieldTitle, SENT, whenWords } from './flow-graph.ts';
import { difference, dropBounds, dropClass, FEW, type Funnel, type Ratio } from './funnel.ts';

/** What the parts of the page share: the numbers on their flow, and the words of the survey. */
export type FunnelView = {
  readonly language: Language;
  readonly titleOf: (step: string) => string;
  readonly now: Funnel;
  /** The second selection, and what it is called, such as `source google`. */
  readonly other: Funnel | undefined;
  readonly otherName: string;
  /** The list of the selection's leads. */
  readonly leads: string;
};

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
      <Share now={view.now.dropOff(step)} other={view.other?.dropOff(step)} /> {word}
    </span>
  );
}

/** Writes a share with its difference from another one in percentage points, and an arrow if it is clear. */
export function Share({ now, other }: { readonly now: Ratio; readonly other: Ratio | undefined }) {
  const found = difference(now, other);
  if (!found) return percent(now.part, now.of);
  const { isClear, points } = found;
  return (
    <>
      {percent(now.part, now.of)}{' '}
      <span className={isClear ? 'points clear' : 'points'}>
        <span aria-hidden="true">{isClear && (points > 0 ? '▲' : '▼')}</span> {pointsText(points)}
        <span className="visually-hidden">
          {' '}
          points{isClear ? ', more than chance may explain' : ', may be chance'}
        </span>
      </span>
    </>
  );
}

export function secondsText(seconds: number | null): string {
  return durationText(seconds && 1000 * seconds);
}

/** Tells everything that was counted at one step. */
export function StepDetail({ view, step }: StepProps) {
  const { now, other, otherName, leads, language, titleOf } = view;
  const { seen, left, medianSeconds, wentBack, refused } = now.step(step);
  const onward = now.graph.edges.filter(({ from }) => from === step);
  if (step === SENT) {
    const { part, of } = now.completion;
    return (
      <div className="stack">
        <h2>{titleOf(step)}</h2>
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
      <h2>{titleOf(step)}</h2>
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
          <li key={field} className="row spread">
            <span>
              {fieldTitle(language, field)} <Code>{field}</Code>
            </span>
            <span>
              {count(visits)} <span className="quiet">{percent(visits, seen)}</span>
            </span>
          </li>
        ))}
      </ul>
      {onward.length > 0 && <h3>Goes on to</h3>}
      <ul className="detail-list">
        {onward.map((edge) => (
          <li key={edge.to} className="row spread">
            <span>
              {titleOf(edge.to)} <span className="quiet fine">{whenWords(edge, now.graph)}</span>
            </span>
            <span>
              {count(now.edgeVisits(edge))}{' '}
              <span className="quiet">
                <Share now={now.edgeShare(edge)} other={other?.edgeShare(edge)} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Says what widths and colours mean. */
export function Legend({ isCompared }: { readonly isCompared: boolean }) {
  return (
    <ul className="flow-key row fine quiet" aria-label="Legend">
      <li>Width of a line: visits</li>
      {Object.entries(isCompared ? comparedLegend : plainLegend).map(([tone, text]) => (
        <li key={tone} className={`drop drop-${tone}`}>
          {text}
        </li>
      ))}
    </ul>
  );
}

const plainLegend: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    dropBounds.map((bound, index) => {
      const next = dropBounds[index + 1];
      const text = next === undefined ? `${bound} % or more` : `${bound} to ${next} %`;
      return [index, index === 0 ? `${text} leave at the step` : text];
    }),
  ),
  few: `fewer than ${FEW} visits`,
};

const comparedLegend: Readonly<Record<string, string>> = {
  more: '▲ more leave',
  fewer: '▼ fewer leave',
  few: 'no more difference than chance may explain (99 %)',
};
