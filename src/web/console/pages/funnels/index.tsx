import { useState } from 'react';
import {
  type BreakdownAnswer,
  type FunnelAnswer,
  type Period,
  surveyDimensions,
} from '../../../../model/messages/console/numbers.ts';
import type { SurveyAnswer } from '../../../../model/messages/console/work.ts';
import { addressOf, steady, useApi } from '../../api.ts';
import { addDays, count } from '../../format.ts';
import { Go, useUrlQuery } from '../../parts/address.tsx';
import { type Item, Select } from '../../parts/controls.tsx';
import { stepTitle, useFlowGraph } from '../../parts/flow-graph.ts';
import { Page, Panel, Skeleton } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { Ago } from '../../parts/values.tsx';
import { type FunnelView, Legend, StepDetail } from './detail.tsx';
import { Diagram, StepList } from './diagram.tsx';
import { differenceOf, funnelOn, summaryOf, worstStep } from './funnel.ts';
import { Speed } from './speed.tsx';
import './funnels.css';

/** Shows how many visitors reach and leave each step of a survey. */
export default function FunnelsPage() {
  const [address] = useUrlQuery();
  const { from, to } = usePeriod();
  const surveys = useApi<readonly SurveyAnswer[]>('/api/surveys', {}, { staleTime: 300_000 });
  const visits = useSurveyVisits({ from, to });
  const byVisits = (surveys.data ?? []).toSorted(
    (one, other) => (visits?.get(other.path) ?? 0) - (visits?.get(one.path) ?? 0),
  );
  const named = byVisits.find(({ path }) => path === address.survey);
  const survey = named ?? (visits && byVisits[0]);
  const selection = { survey: survey?.path ?? '', from, to, segment: address.of ?? ALL };
  const compared = comparedWith(selection, address.with);
  const now = useFunnel(selection);
  const other = useFunnel(compared);
  const view = useView(survey, now.data, compared && other.data, selection);
  return (
    <Page
      title="Funnels"
      summary={view && (view.other ? differenceOf(view.now, view.other, view) : summaryOf(view))}
      actions={view && <Go to={view.leads}>Their leads</Go>}
    >
      <Filters
        surveys={byVisits.map(({ path, flow, language }) => ({
          id: path,
          label: path,
          note: `${count(visits?.get(path) ?? 0)} visits, flow ${flow}, ${language}`,
        }))}
        selection={selection}
      />
      <Panel
        query={surveys.data ? now : surveys}
        rows={12}
        isEmpty={() => now.data?.visits === 0}
        empty="Nobody visited this survey in the period. Choose a longer period in the top bar, or another survey."
      >
        {() => (view ? <FunnelBody view={view} /> : <Skeleton rows={12} />)}
      </Panel>
      {now.data && (
        <p className="counted quiet fine">
          Counted <Ago at={now.data.countedUntil} />, by visits that began in the period, without
          test leads. A visitor who is still answering counts as having left.
        </p>
      )}
      {survey && view && (
        <Speed
          title="Speed of the screens"
          query={{ from, to, survey: survey.path }}
          nameOf={({ step }) => view.titleOf(step)}
          steps={view.now.graph.nodes.map(({ id }) => id)}
        />
      )}
      <Speed title="Speed of the other pages" query={{ from, to }} nameOf={({ page }) => page} />
    </Page>
  );
}

function useFunnel(selection: Selection | undefined) {
  const enabled = selection !== undefined && selection.survey !== '';
  return useApi<FunnelAnswer>('/api/funnels', { ...selection }, { ...steady, enabled });
}

function useView(
  survey: SurveyAnswer | undefined,
  now: FunnelAnswer | undefined,
  other: FunnelAnswer | undefined,
  { from, to, segment }: Selection,
): FunnelView | undefined {
  const [{ with: otherName = '' }] = useUrlQuery();
  const graph = useFlowGraph(survey);
  if (!graph || !survey || now?.survey !== survey.path) return undefined;
  const { path, flow: flowId, language } = survey;
  const [key = '', ...value] = segment.split('=');
  const ofSegment = segment !== ALL && { [key]: value.join('=') };
  const leads = { from, to, by: 'visit', survey: path, ...ofSegment };
  return {
    language,
    titleOf: (step) => stepTitle(language, flowId, step),
    leads: addressOf('/leads', leads),
    now: funnelOn(graph, now),
    other: other?.survey === path ? funnelOn(graph, other) : undefined,
    otherName: segmentWords(otherName),
  };
}

type FiltersProps = { readonly surveys: readonly Item[]; readonly selection: Selection };

function Filters({ surveys, selection: { survey, segment, from, to } }: FiltersProps) {
  const [{ with: other = '' }, change] = useUrlQuery();
  const segments = useSegments({ survey, from, to });
  const everybody = { id: ALL, label: 'all visitors' };
  // Adds the chosen segment to the menu, even if the segment has no visits in this period.
  const itemsWith = (chosen: string): Item[] => {
    const isListed = !chosen.includes('=') || segments.some(({ id }) => id === chosen);
    const own = isListed ? [] : [{ id: chosen, label: segmentWords(chosen) }];
    return [everybody, ...segments, ...own];
  };
  const comparable = itemsWith(other).filter(({ id }) => id !== segment);
  const nothing = { id: '', label: 'nothing' };
  const before = { id: BEFORE, label: 'the period before' };
  return (
    <div className="row fields">
      <Select
        label="Survey"
        isLabelShown
        items={surveys}
        value={survey}
        onChange={(path) => change({ survey: path, step: undefined })}
      />
      <Select
        label="Visitors"
        isLabelShown
        items={itemsWith(segment)}
        value={segment}
        onChange={(id) => change({ of: id === ALL ? undefined : id })}
      />
      <Select
        label="Compare with"
        isLabelShown
        items={[nothing, before, ...comparable]}
        value={other}
        onChange={(id) => change({ with: id })}
      />
    </div>
  );
}

function FunnelBody({ view }: { readonly view: FunnelView }) {
  const [address, change] = useUrlQuery();
  const [pointed, setPointed] = useState<string>();
  const selected = view.now.graph.nodes.find(({ id }) => id === address.step)?.id;
  const select = (step: string) => change({ step: step === selected ? undefined : step });
  const detailed = pointed ?? selected ?? worstStep(view.now);
  return (
    <div className="body stack">
      <Legend isCompared={view.other !== undefined} />
      {matchMedia('(width < 45rem)').matches ? (
        <StepList view={view} selected={selected} onSelect={select} />
      ) : (
        <div className="beside funnel">
          <Diagram view={view} selected={selected} onSelect={select} onPoint={setPointed} />
          <aside className="stack" aria-label="Details">
            {detailed && <StepDetail view={view} step={detailed} />}
            <p className="quiet fine">Point at a step for its numbers.</p>
          </aside>
        </div>
      )}
    </div>
  );
}

const ALL = 'all';
const BEFORE = 'before';

type Selection = Period & {
  readonly survey: string;
  /** `all`, or the value of a dimension, such as `source=google`. */
  readonly segment: string;
};

/** Returns the selection of visits with which the operator compares the funnel. */
export function comparedWith(selection: Selection, other = ''): Selection | undefined {
  const { from, to, segment } = selection;
  if (other === '' || other === segment) return undefined;
  if (other !== BEFORE) return { ...selection, segment: other };
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { ...selection, from: addDays(from, -days), to: addDays(from, -1) };
}

/** Writes a segment in words, such as `source google`. */
function segmentWords(segment: string): string {
  if (segment === ALL) return 'all visitors';
  if (segment === BEFORE) return 'the period before';
  const [key = '', ...value] = segment.split('=');
  return `${key} ${value.join('=') || 'unknown'}`;
}

function useSurveyVisits(period: Period): ReadonlyMap<string, number> | undefined {
  const query = { dimension: 'survey', ...period };
  const { data, error } = useApi<BreakdownAnswer>('/api/breakdown', query);
  if (error) return new Map();
  return data && new Map(data.rows.map(({ value, totals }) => [value, totals.visits]));
}

function useSegments(asked: Period & { readonly survey: string }): Item[] {
  const options = { enabled: asked.survey !== '' };
  return surveyDimensions.flatMap((dimension) => {
    // biome-ignore lint/correctness/useHookAtTopLevel: the dimensions are always the same
    const { data } = useApi<BreakdownAnswer>('/api/breakdown', { dimension, ...asked }, options);
    return (data?.rows ?? [])
      .filter(({ value, totals }) => value !== '' && totals.visits > 0)
      .map(({ value, totals }) => ({
        id: `${dimension}=${value}`,
        label: `${dimension} ${value}`,
        note: `${count(totals.visits)} visits`,
      }));
  });
}
