import type { CSSProperties, ReactNode } from 'react';
import type { Language } from '../../../../model/fields/language.ts';
import { hasMoney } from '../../../../model/messages/console/numbers.ts';
import { count, dollarsPer, durationText, percent, pointsText } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { fieldTitle, SENT } from '../../parts/flow-graph.ts';
import { Code, Facts } from '../../parts/values.tsx';
import { difference, dropBounds, dropClass, FEW, type Funnel, type Ratio } from './funnel.ts';

/** The funnel of a survey, and another funnel with which it is compared. */
export type FunnelView = {
  readonly language: Language;
  readonly titleOf: (step: string) => string;
  readonly now: Funnel;
  readonly other: Funnel | undefined;
  readonly otherName: string;
  readonly leads: string;
};

const FEW_COLOR = 'var(--line-strong)';
const MORE_COLOR = 'var(--bad)';
const FEWER_COLOR = 'var(--accent)';

/** Returns a color whose lightness shows the level, because some operators are color-blind. */
function classColor(level: number): string {
  return `color-mix(in oklch, ${FEW_COLOR}, ${MORE_COLOR} ${5 + 23 * level}%)`;
}

function dropColor({ now, other }: FunnelView, step: string): string {
  const own = now.dropOff(step);
  if (other === undefined) {
    const level = dropClass(own);
    return level === undefined ? FEW_COLOR : classColor(level);
  }
  const gap = difference(own, other.dropOff(step));
  if (!gap?.isClear) return classColor(0);
  return gap.points > 0 ? MORE_COLOR : FEWER_COLOR;
}

/** Returns the color and the stroke of a step or an edge to the step. */
export function dropStyle(view: FunnelView, step: string): CSSProperties {
  const isEnd = view.now.graph.nodes.some((node) => node.id === step && node.isEnd);
  return styleOf(isEnd ? 'var(--accent)' : dropColor(view, step));
}

function styleOf(color: string): CSSProperties {
  const [edge, dash] = color === FEW_COLOR ? ['dashed', '8 4'] : ['solid', 'none'];
  return { '--drop': color, '--edge': edge, '--dash': dash } as CSSProperties;
}

type StepProps = { readonly view: FunnelView; readonly step: string };

export function Drop({ view, step, word = '' }: StepProps & { readonly word?: string }) {
  return (
    <span className="drop" style={dropStyle(view, step)}>
      <Share now={view.now.dropOff(step)} other={view.other?.dropOff(step)} /> {word}
    </span>
  );
}

/** Shows a share and its difference from another share. */
export function Share({ now, other }: { readonly now: Ratio; readonly other: Ratio | undefined }) {
  const gap = difference(now, other);
  if (!gap) return percent(now.part, now.of);
  const { isClear, points } = gap;
  return (
    <>
      {percent(now.part, now.of)}{' '}
      <span className={isClear ? 'fine' : 'fine quiet'}>
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

export function StepDetail({ view, step }: StepProps) {
  const { now, other, leads, language, titleOf } = view;
  const { seen, left, medianSeconds, wentBack, refused } = now.step(step);
  const onward = now.graph.edges.filter(({ from }) => from === step);
  if (step === SENT) {
    return (
      <div className="stack">
        <h2>{titleOf(step)}</h2>
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
          'Revenue a visit': hasMoney(now.money) && dollarsPer(now.money.revenue, seen),
          'Median time': secondsText(medianSeconds),
          'Went back': `${count(wentBack)} (${percent(wentBack, seen)})`,
        }}
      />
      {refused.length > 0 && <h3>Refused fields</h3>}
      {refused.map(({ field, visits }) => (
        <Line key={field} value={visits} share={percent(visits, seen)}>
          {fieldTitle(language, field)} <Code>{field}</Code>
        </Line>
      ))}
      {onward.length > 0 && <h3>Goes on to</h3>}
      {onward.map((edge) => (
        <Line
          key={edge.to}
          value={now.edgeVisits(edge)}
          share={<Share now={now.edgeShare(edge)} other={other?.edgeShare(edge)} />}
        >
          {titleOf(edge.to)}
        </Line>
      ))}
    </div>
  );
}

type LineProps = {
  readonly value: number;
  readonly share: ReactNode;
  readonly children: ReactNode;
};

function Line({ value, share, children }: LineProps) {
  return (
    <p className="line">
      <span>{children}</span>
      <span className="count">
        {count(value)} <span className="quiet">{share}</span>
      </span>
    </p>
  );
}

export function Legend({ isCompared }: { readonly isCompared: boolean }) {
  const colors = isCompared ? comparedLegend : plainLegend;
  return (
    <ul className="row fine quiet" aria-label="Legend">
      <li>Width of a line: visits</li>
      {colors.map(([color, text]) => (
        <li key={text} className="drop" style={styleOf(color)}>
          {text}
        </li>
      ))}
    </ul>
  );
}

const plainLegend: readonly (readonly [color: string, text: string])[] = [
  ...dropBounds.map((bound, index): [string, string] => {
    const next = dropBounds[index + 1];
    return [classColor(index), next ? `${bound} to ${next} % leave` : `${bound} % or more`];
  }),
  [FEW_COLOR, `fewer than ${FEW} visits`],
];

const comparedLegend: typeof plainLegend = [
  [MORE_COLOR, '▲ more leave'],
  [FEWER_COLOR, '▼ fewer leave'],
  [classColor(0), 'no more difference than chance may explain (99 %)'],
];
