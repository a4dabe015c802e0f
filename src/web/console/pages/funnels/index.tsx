import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { surveyFacts } from '../../../../model/flows/surveys.ts';
import type {
  BreakdownAnswer,
  FunnelAnswer,
  Period,
} from '../../../../model/messages/console/numbers.ts';
import type { SurveyAnswer } from '../../../../model/messages/console/work.ts';
import { addressOf, polled, useApi } from '../../api.ts';
import { addDays, count, NONE, percent } from '../../format.ts';
import { type Address, useAddress } from '../../parts/address.tsx';
import { type Item, Select, Tabs } from '../../parts/controls.tsx';
import { Page, Panel, Skeleton } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago } from '../../parts/values.tsx';
import { Drop, type FunnelView, Legend, Share, StepDetail, secondsText } from './detail.tsx';
import { Diagram } from './diagram.tsx';
import { flowGraph, type GraphNode, SENT, stepTitle, useFlow } from './flow-graph.ts';
import { differenceOf, funnelOn, summaryOf, worstStep } from './funnel.ts';
import './funnels.css';

/** Shows how visitors walk through a survey's flow, and where they leave it. */
export default function FunnelsPage() {
  const [address] = useAddress();
  const { from, to } = usePeriod();
  const surveys = useApi<readonly SurveyAnswer[]>('/api/surveys', {}, { staleTime: 300_000 });
  const visits = useSurveyVisits({ from, to });
  const byVisits = (surveys.data ?? []).toSorted(
    (one, other) => (visits?.get(other.path) ?? 0) - (visits?.get(one.path) ?? 0),
  );
  // Without one in the address, the survey with the most visits.
  const named = byVisits.find(({ path }) => path === address.survey);
  const survey = named ?? (visits && byVisits[0]);
  const selection: Selection = {
    survey: survey?.path ?? '',
    from,
    to,
    segment: segmentOf(address),
  };
  const compared = comparedWith(selection, address.with);
  const now = useFunnel(selection);
  const other = useFunnel(compared);
  const view = useView(survey, now.data, compared && other.data, selection, address.with);
  return (
    <Page
      title="Funnels"
      summary={view && sentencesOf(view)}
      actions={view && <Conversion view={view} />}
    >
      <Filters
        surveys={byVisits.map(({ path, flow, language }) => ({
          id: path,
          label: path,
          note: `${count(visits?.get(path) ?? 0)} visits, flow ${flow}, ${language}`,
        }))}
        selection={selection}
      />
      {surveys.data ? (
        <Panel
          query={now}
          rows={12}
          isEmpty={(answer) => answer.visits === 0 && answer.steps.every(({ seen }) => seen === 0)}
          empty="Nobody visited this survey in the period. Choose a longer period in the top bar, or another survey."
        >
          {() => (view ? <FunnelBody view={view} /> : <Skeleton rows={12} />)}
        </Panel>
      ) : (
        <Panel query={surveys} rows={12}>
          {() => null}
        </Panel>
      )}
      {now.data && (
        <p className="quiet fine counted">
          Counted <Ago at={now.data.countedUntil} />. Visits that began in the period; test leads
          are left out. A visitor who is still answering counts as having left.
        </p>
      )}
    </Page>
  );
}

function sentencesOf({ now, other, otherName, titleOf }: FunnelView): string[] {
  return other ? differenceOf(now, other, { other: otherName, titleOf }) : summaryOf(now, titleOf);
}

function useFunnel(selection: Selection | undefined) {
  return useApi<FunnelAnswer>(
    '/api/funnels',
    { ...selection },
    {
      ...polled,
      enabled: selection !== undefined && selection.survey !== '',
      placeholderData: keepPreviousData,
    },
  );
}

/** Puts the numbers on the flow. Undefined while a part is loading, or is still of another survey. */
function useView(
  survey: SurveyAnswer | undefined,
  now: FunnelAnswer | undefined,
  other: FunnelAnswer | undefined,
  { from, to, segment }: Selection,
  otherSegment: string | undefined,
): FunnelView | undefined {
  const { data: flow } = useFlow(survey);
  const graph = useMemo(
    () => flow && survey && flowGraph(flow, surveyFacts(survey)),
    [flow, survey],
  );
  return useMemo(() => {
    if (!graph || !survey || now?.survey !== survey.path) return undefined;
    const { path, flow: flowId, language } = survey;
    const leads = { from, to, by: 'visit', survey: path, ...segmentKeysOf(segment) };
    return {
      language,
      titleOf: (step) => stepTitle(language, flowId, step),
      leads: addressOf('/leads', leads),
      now: funnelOn(graph, now),
      other: other?.survey === path ? funnelOn(graph, other) : undefined,
      otherName: otherSegment ? segmentWords(otherSegment) : '',
    };
  }, [graph, survey, now, other, from, to, segment, otherSegment]);
}

/** Shows the share of visits that sent the last form, as the page's one figure. */
function Conversion({ view: { now, other } }: { readonly view: FunnelView }) {
  const { part, of } = now.completion;
  return (
    <p>
      <strong className="figure">
        <Share now={now.completion} other={other?.completion} />
      </strong>{' '}
      <span className="quiet">
        {count(part)} of {count(of)} visits sent the last form
      </span>
    </p>
  );
}

type FiltersProps = { readonly surveys: readonly Item[]; readonly selection: Selection };

/** Chooses the survey, the visitors and the second selection. The period is in the top bar. */
function Filters({ surveys, selection: { survey, segment, from, to } }: FiltersProps) {
  const [{ with: other = '' }, change] = useAddress();
  const segments = useSegments({ survey, from, to });
  const everybody = { id: ALL, label: 'All visitors' };
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
        items={[everybody, ...itemsOf(segments, segment)]}
        value={segment}
        onChange={(id) => change(segmentKeysOf(id))}
      />
      <Select
        label="Compare with"
        isLabelShown
        items={[
          { id: '', label: 'Nothing' },
          { id: BEFORE, label: 'The period before' },
          ...[everybody, ...itemsOf(segments, other)].filter(({ id }) => id !== segment),
        ]}
        value={other}
        onChange={(id) => change({ with: id })}
      />
    </div>
  );
}

/** Returns the segments as items, with the one of the address, which may have no visits in the period. */
function itemsOf(segments: readonly SegmentCount[], chosen: string): Item[] {
  const isKnown = !chosen.includes('=') || segments.some(({ segment }) => segment === chosen);
  return [...segments, ...(isKnown ? [] : [{ segment: chosen, visits: 0 }])].map(
    ({ segment, visits }) => ({
      id: segment,
      label: segmentWords(segment),
      note: visits > 0 ? `${count(visits)} visits` : undefined,
    }),
  );
}

const tabs = [
  { id: 'diagram', label: 'Flow' },
  { id: 'table', label: 'Table' },
];

type ViewProps = { readonly view: FunnelView };

function FunnelBody({ view }: ViewProps) {
  const [address, change] = useAddress();
  const isNarrow = matchMedia('(width < 45rem)').matches;
  const [pointed, setPointed] = useState<string>();
  const shown = address.view ?? (isNarrow ? 'table' : 'diagram');
  const selected = view.now.graph.nodes.find(({ id }) => id === address.step)?.id;
  const select = (step: string) => change({ step: step === selected ? undefined : step });
  const detailed = pointed ?? selected ?? worstStep(view.now);
  return (
    <Tabs label="View" items={tabs} value={shown} onChange={(next) => change({ view: next })}>
      {shown === 'table' ? (
        <StepTable view={view} selected={selected} onSelect={select} />
      ) : (
        <div className="body">
          <Legend isCompared={view.other !== undefined} />
          <div className="beside funnel">
            <Diagram view={view} selected={selected} onSelect={select} onPoint={setPointed} />
            <aside className="stack" aria-label="Details">
              {detailed && <StepDetail view={view} step={detailed} />}
              <p className="quiet fine">Point at a step for its numbers.</p>
            </aside>
          </div>
        </div>
      )}
    </Tabs>
  );
}

type StepTableProps = ViewProps & {
  readonly selected: string | undefined;
  readonly onSelect: (step: string) => void;
};

/** The funnel as a table, for phones and screen readers. A step opens its details below its row. */
export function StepTable({ view, selected, onSelect }: StepTableProps) {
  const { now, other, otherName } = view;
  const columns: readonly Column<GraphNode>[] = [
    {
      header: 'Step',
      cell: ({ id }) => (
        <button
          type="button"
          className="count-link wrap"
          aria-expanded={id === selected}
          onClick={() => onSelect(id)}
        >
          {view.titleOf(id)}
        </button>
      ),
    },
    {
      header: 'Seen',
      align: 'end',
      cell: ({ id }) => count(id === SENT ? now.completion.part : now.step(id).seen),
    },
    {
      header: 'Leave here',
      align: 'end',
      cell: ({ id }) => (now.dropOff(id).of === 0 ? NONE : <Drop view={view} step={id} />),
    },
    {
      header: 'Median time',
      align: 'end',
      isMinor: true,
      cell: ({ id }) => secondsText(now.step(id).medianSeconds),
    },
  ];
  const theirs: Column<GraphNode> = {
    header: `Leave: ${otherName}`,
    align: 'end',
    isMinor: true,
    cell: ({ id }) => other && percent(other.dropOff(id).part, other.dropOff(id).of),
  };
  return (
    <DataTable
      label="Steps of the flow"
      columns={other ? columns.toSpliced(3, 0, theirs) : columns}
      rows={now.graph.nodes}
      below={({ id }) => id === selected && <StepDetail view={view} step={id} />}
    />
  );
}

/** The keys of the address that narrow a selection; one at a time, as the counts are kept. */
const segmentKeys = ['source', 'device', 'language', 'variant'] as const;

/** Every visitor of the survey. */
const ALL = 'all';
/** The period before, as the second selection. */
const BEFORE = 'before';

export type Selection = Period & {
  readonly survey: string;
  /** `all`, or such as `source=google`. */
  readonly segment: string;
};

/** Returns the segment that the address names: `source=google` for `?source=google`. */
export function segmentOf(address: Address): string {
  const key = segmentKeys.find((each) => address[each]);
  return key === undefined ? ALL : `${key}=${address[key]}`;
}

/** Returns the keys of the address for a segment. The others are removed. */
export function segmentKeysOf(segment: string): Address {
  const [key, ...value] = segment.split('=');
  const own = (name: string) => (name === key ? value.join('=') : undefined);
  return Object.fromEntries(segmentKeys.map((name) => [name, own(name)]));
}

/**
 * Returns the second selection: the period of the same length before, or another segment in the same period.
 * Undefined: none is chosen.
 */
export function comparedWith(selection: Selection, other = ''): Selection | undefined {
  const { from, to, segment } = selection;
  if (other === '' || other === segment) return undefined;
  if (other !== BEFORE) return { ...selection, segment: other };
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { ...selection, from: addDays(from, -days), to: addDays(from, -1) };
}

/** Returns a segment, or the second selection, for people: `source google`. */
export function segmentWords(segment: string): string {
  if (segment === ALL) return 'all visitors';
  if (segment === BEFORE) return 'the period before';
  const [key = '', ...value] = segment.split('=');
  return `${key} ${value.join('=') || 'unknown'}`;
}

/** Returns the visits of each survey in a period; undefined while they are loading. */
function useSurveyVisits(period: Period): ReadonlyMap<string, number> | undefined {
  const { data, error } = useApi<BreakdownAnswer>('/api/breakdown', {
    dimension: 'survey',
    ...period,
  });
  if (error) return new Map();
  return data && new Map(data.rows.map(({ value, totals }) => [value, totals.visits]));
}

/** A segment of a survey's visitors, such as `source=google`, with its visits in the period. */
type SegmentCount = { readonly segment: string; readonly visits: number };

/**
 * Returns the segments that a survey's visitors had in a period, the largest of each kind first. Leaves out visitors
 * without a value: an address cannot name them.
 */
function useSegments(asked: Period & { readonly survey: string }): SegmentCount[] {
  const options = { enabled: asked.survey !== '' };
  return segmentKeys.flatMap((dimension) => {
    // biome-ignore lint/correctness/useHookAtTopLevel: the keys are always the same
    const { data } = useApi<BreakdownAnswer>('/api/breakdown', { dimension, ...asked }, options);
    return (data?.rows ?? [])
      .filter(({ value, totals }) => value !== '' && totals.visits > 0)
      .map(({ value, totals }) => ({ segment: `${dimension}=${value}`, visits: totals.visits }));
  });
}
