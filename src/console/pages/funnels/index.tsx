import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { FunnelAnswer } from '../../../contract/console/numbers.ts';
import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { surveyFacts } from '../../../flows/surveys.ts';
import { addressOf, useApi } from '../../api.ts';
import { Button, Tabs } from '../../parts/controls.tsx';
import { Page, Panel, Skeleton } from '../../parts/page.tsx';
import { Ago } from '../../parts/values.tsx';
import { usePeriod } from '../../shell/period.tsx';
import { Conversion } from './conversion.tsx';
import { StepDetail } from './detail.tsx';
import { Diagram } from './diagram.tsx';
import { Legend } from './drop.tsx';
import { Filters, visitsOf } from './filters.tsx';
import { flowGraph } from './flow-graph.ts';
import { funnelOn, isEmptyFunnel } from './funnel.ts';
import { OtherWays } from './other-ways.tsx';
import { Picture } from './picture.tsx';
import {
  BEFORE,
  comparedWith,
  type Selection,
  segmentOf,
  segmentSearch,
  segmentWords,
} from './selection.ts';
import { differenceOf, summaryOf } from './sentences.ts';
import { StepTable } from './step-table.tsx';
import { useFlow } from './use-flow.ts';
import { useIsNarrow } from './use-narrow.ts';
import { useSegments, useSurveyVisits } from './use-segments.ts';
import { type FunnelView, titleIn } from './view.ts';
import './funnels.css';

type Search = Readonly<Record<string, string | undefined>>;

/** Shows how visitors walk through a survey's flow, and where they leave it. */
export default function FunnelsPage() {
  const search: Search = useSearch({ strict: false });
  const change = useChangeSearch();
  const { from, to } = usePeriod();
  const surveys = useApi<readonly SurveyAnswer[]>('/api/surveys', {}, { staleTime: 300_000 });
  const visits = useSurveyVisits({ from, to });
  const row = chosenSurvey(surveys.data, search.survey, visits);
  const selection: Selection = {
    ...{ survey: row?.path ?? '', from, to },
    segment: segmentOf(search),
  };
  const compared = comparedWith(selection, search.with);
  const now = useFunnel(selection);
  const other = useFunnel(compared);
  const segments = useSegments({ survey: selection.survey, from, to });
  const view = useView(row, now.data, {
    other: compared && other.data,
    otherName: otherName(search.with),
    leads: leadsOf(selection),
  });
  return (
    <Page
      title="Funnels"
      summary={view && summaryOfView(view)}
      actions={view && <Conversion view={view} />}
    >
      <Filters
        surveys={surveys.data ?? []}
        visits={visits}
        survey={selection.survey}
        segment={selection.segment}
        other={search.with ?? ''}
        segments={segments}
        onSurvey={(survey) => change({ survey, step: undefined })}
        onSegment={(segment) => change(segmentSearch(segment))}
        onOther={(chosen) => change({ with: chosen })}
      />
      {surveys.data ? (
        <Panel
          query={now}
          rows={12}
          isEmpty={isEmptyFunnel}
          empty={
            <p>
              Nobody visited this survey in the period. Choose a longer period in the top bar, or
              another survey.
            </p>
          }
        >
          {() =>
            view ? (
              <FunnelBody view={view} search={search} change={change} />
            ) : (
              <Skeleton rows={12} />
            )
          }
        </Panel>
      ) : (
        <Panel query={surveys} rows={12}>
          {() => null}
        </Panel>
      )}
      {view && <OtherWays funnel={view.now} />}
      {now.data && (
        <p className="quiet counted">
          Counted <Ago at={now.data.countedUntil} />. Visits that began in the period; test leads
          are left out. A visitor who is still answering counts as having left.
        </p>
      )}
    </Page>
  );
}

/** Returns the survey of the address, else the one with the most visits. Undefined while that is not known. */
function chosenSurvey(
  surveys: readonly SurveyAnswer[] | undefined,
  path: string | undefined,
  visits: ReadonlyMap<string, number> | undefined,
): SurveyAnswer | undefined {
  const named = surveys?.find((survey) => survey.path === path);
  if (named || !visits) return named;
  return surveys?.toSorted((one, other) => visitsOf(visits, other) - visitsOf(visits, one))[0];
}

type Change = (keys: Search) => void;

/** Changes keys of the address; the others stay. */
function useChangeSearch(): Change {
  const navigate = useNavigate();
  return (keys) => {
    const search = (now: Search) => ({ ...now, ...keys });
    void navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
  };
}

function useFunnel(selection: Selection | undefined) {
  return useApi<FunnelAnswer>(
    '/api/funnels',
    { ...selection },
    {
      enabled: selection !== undefined && selection.survey !== '',
      placeholderData: keepPreviousData,
    },
  );
}

/** Puts the numbers on the flow. Undefined while a part is loading, or is still of another survey. */
function useView(
  row: SurveyAnswer | undefined,
  now: FunnelAnswer | undefined,
  beside: Pick<FunnelView, 'otherName' | 'leads'> & { readonly other: FunnelAnswer | undefined },
): FunnelView | undefined {
  const { other, otherName, leads } = beside;
  const { data: flow } = useFlow(row);
  const graph = useMemo(() => flow && row && flowGraph(flow, surveyFacts(row)), [flow, row]);
  return useMemo(() => {
    if (!graph || !row || now?.survey !== row.path) return undefined;
    return {
      ...{ graph, flowId: row.flow, language: row.language, otherName, leads },
      now: funnelOn(graph, now),
      other: other?.survey === row.path ? funnelOn(graph, other) : undefined,
    };
  }, [graph, row, now, other, otherName, leads]);
}

/** Returns the list of the selection's leads. */
function leadsOf({ from, to, survey, segment }: Selection): string {
  return addressOf('/leads', { from, to, by: 'visit', survey, ...segmentSearch(segment) });
}

function otherName(chosen: string | undefined): string {
  if (chosen === undefined) return '';
  return chosen === BEFORE ? 'the period before' : segmentWords(chosen);
}

function summaryOfView(view: FunnelView): string[] {
  const titleOf = (step: string) => titleIn(view, step);
  return view.other
    ? differenceOf(view.graph, view.now, view.other, { other: view.otherName, titleOf })
    : summaryOf(view.graph, view.now, titleOf);
}

type BodyProps = { readonly view: FunnelView; readonly search: Search; readonly change: Change };

const views = [
  { id: 'diagram', label: 'Flow' },
  { id: 'table', label: 'Table' },
];

function FunnelBody({ view, search, change }: BodyProps) {
  const isNarrow = useIsNarrow();
  const shown = search.view ?? (isNarrow ? 'table' : 'diagram');
  const select = (step: string) => change({ step: step === search.step ? undefined : step });
  return (
    <Tabs label="View" items={views} value={shown} onChange={(next) => change({ view: next })}>
      {shown === 'table' ? (
        <StepTable view={view} selected={search.step} onSelect={select} />
      ) : (
        <DiagramWithDetail view={view} selected={search.step} onSelect={select} />
      )}
    </Tabs>
  );
}

type DiagramWithDetailProps = {
  readonly view: FunnelView;
  readonly selected: string | undefined;
  readonly onSelect: (step: string) => void;
};

function DiagramWithDetail({ view, selected, onSelect }: DiagramWithDetailProps) {
  const [pointed, setPointed] = useState<string>();
  const known = view.graph.nodes.find(({ id }) => id === (pointed ?? selected))?.id;
  return (
    <div className="funnel">
      <Legend isCompared={view.other !== undefined} />
      <div className="funnel-plane">
        <Diagram view={view} selected={selected} onSelect={onSelect} onPoint={setPointed} />
        <aside className="funnel-detail" aria-label="Details">
          {known === undefined ? (
            <Picture view={view} onSelect={onSelect} />
          ) : (
            <StepDetail view={view} step={known} />
          )}
          {known !== undefined && known === selected && (
            <div>
              <Button onPress={() => onSelect(known)}>Show the whole flow</Button>
            </div>
          )}
        </aside>
      </div>
    </div>
  );
}
