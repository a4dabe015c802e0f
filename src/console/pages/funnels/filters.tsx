import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { count } from '../../format.ts';
import { Select } from '../../parts/controls.tsx';
import { ALL, BEFORE, segmentWords } from './selection.ts';
import type { SegmentCount } from './use-segments.ts';

type FiltersProps = {
  readonly surveys: readonly SurveyAnswer[];
  /** The visits of each survey in the period. */
  readonly visits: ReadonlyMap<string, number> | undefined;
  readonly survey: string;
  readonly segment: string;
  /** The second selection: empty, `before`, or a segment. */
  readonly other: string;
  readonly segments: readonly SegmentCount[];
  readonly onSurvey: (path: string) => void;
  readonly onSegment: (segment: string) => void;
  readonly onOther: (other: string) => void;
};

/** Chooses the survey, the visitors and the second selection. The period is in the top bar. */
export function Filters(props: FiltersProps) {
  const { surveys, visits = new Map(), survey, segment, other, segments } = props;
  const choices = withChosen(segments, segment);
  return (
    <div className="funnel-filters">
      <Select
        label="Survey"
        isLabelShown
        items={surveys
          .toSorted((a, b) => visitsOf(visits, b) - visitsOf(visits, a))
          .map((each) => ({
            id: each.path,
            label: each.path,
            note: `${count(visitsOf(visits, each))} visits, flow ${each.flow}, ${each.language}`,
          }))}
        value={survey}
        onChange={props.onSurvey}
      />
      <Select
        label="Visitors"
        isLabelShown
        items={[{ id: ALL, label: 'All visitors' }, ...choices.map(itemOf)]}
        value={segment}
        onChange={props.onSegment}
      />
      <Select
        label="Compare with"
        isLabelShown
        items={[
          { id: '', label: 'Nothing' },
          { id: BEFORE, label: 'The period before' },
          ...(segment === ALL ? [] : [{ id: ALL, label: 'All visitors' }]),
          ...withChosen(segments, other)
            .filter((each) => each.segment !== segment)
            .map(itemOf),
        ]}
        value={other}
        onChange={props.onOther}
      />
    </div>
  );
}

/** Returns the visits of a survey; 0 if it had none. */
export function visitsOf(
  visits: ReadonlyMap<string, number>,
  { path }: Pick<SurveyAnswer, 'path'>,
): number {
  return visits.get(path) ?? 0;
}

function itemOf({ segment, visits }: SegmentCount) {
  return {
    id: segment,
    label: segmentWords(segment),
    ...(visits > 0 && { note: `${count(visits)} visits` }),
  };
}

/** Adds the segment of the address, which may have no visits in the period. */
function withChosen(segments: readonly SegmentCount[], chosen: string): readonly SegmentCount[] {
  const isKnown = segments.some(({ segment }) => segment === chosen);
  return isKnown || !chosen.includes('=')
    ? segments
    : [...segments, { segment: chosen, visits: 0 }];
}
