import { percent } from '../../format.ts';
import { type Difference, difference, dropBounds, dropClass, FEW, type Ratio } from './funnel.ts';

/** Returns the colour class of a drop-off: by its size, or by its difference from the second selection. */
export function dropTone(now: Ratio, other: Ratio | undefined): string {
  if (other === undefined) return `drop-${dropClass(now) ?? 'few'}`;
  const found = difference(now, other);
  if (!found?.isClear) return 'drop-same';
  return found.points > 0 ? 'drop-more' : 'drop-fewer';
}

/** Writes a difference in percentage points: `+1.9`. */
export function pointsText({ points }: Difference): string {
  const text = Math.abs(points).toFixed(1);
  if (text === '0.0') return '±0';
  return `${points > 0 ? '+' : '−'}${text}`;
}

type DropProps = {
  readonly now: Ratio;
  readonly other: Ratio | undefined;
  readonly word?: string;
};

/** Shows a drop-off, or its difference from the second selection. */
export function Drop({ now, other, word = 'leave' }: DropProps) {
  const found = other && difference(now, other);
  return (
    <span className={`drop ${dropTone(now, other)}`}>
      {percent(now.part, now.of)} {word}
      {found && <DifferenceText of={found} />}
    </span>
  );
}

/** Shows a difference in percentage points, with an arrow if it is clear. */
export function DifferenceText({ of }: { readonly of: Difference }) {
  const sign = of.isClear ? (of.points > 0 ? '▲' : '▼') : '';
  return (
    <span className="points">
      {' '}
      <span aria-hidden="true">{sign}</span>
      {pointsText(of)}
      <span className="visually-hidden">
        {' '}
        points{of.isClear ? ', more than chance may explain' : ', may be chance'}
      </span>
    </span>
  );
}

/** Says what widths and colours mean. */
export function Legend({ isCompared }: { readonly isCompared: boolean }) {
  return (
    <ul className="legend" aria-label="Legend">
      <li>
        <span className="legend-width" aria-hidden="true" /> Width: visits
      </li>
      {(isCompared ? comparedLegend : plainLegend).map(({ tone, text }) => (
        <li key={tone}>
          <span className={`legend-mark ${tone}`} aria-hidden="true" /> {text}
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
  { tone: 'drop-same', text: 'no more difference than chance may explain (99 %)' },
];
