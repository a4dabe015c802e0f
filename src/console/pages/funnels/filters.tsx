import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { count } from '../../format.ts';
import { Select } from '../../parts/controls.tsx';
import { ALL, BEFORE, segmentWords } from './selection.ts';
import type { SegmentCount } from './use-segments.ts';

type FiltersProps = {
  readonly surveys: readonly SurveyAnswer[];
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
  const { surveys, survey, segment, other, segments } = props;
  const choices = withChosen(segments, segment);
  return (
    <div className="funnel-filters">
      <Select
        label="Survey"
        isLabelShown
        items={surveys.map(({ path, flow, language }) => ({
          id: path,
          label: path,
          note: `flow ${flow}, ${language}`,
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
