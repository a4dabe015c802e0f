import { useMemo } from 'react';
import type { BreakdownAnswer } from '../../../contract/console/numbers.ts';
import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { Go, useAddress, useGo } from '../../parts/address.tsx';
import { Select, TextInput } from '../../parts/controls.tsx';
import { Empty, Page, Panel } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Count } from '../../parts/values.tsx';
import { SurveyDetail } from './survey-detail.tsx';
import { deviations, type Usual, usualOf, usualWords } from './survey-words.ts';
import './surveys.css';

/** Lists every survey, or shows the one that the address names. */
export default function SurveysPage() {
  const [{ survey: path }] = useAddress();
  const surveys = useApi<readonly SurveyAnswer[]>('/api/surveys', {}, { staleTime: 300_000 });
  const survey = surveys.data?.find((each) => each.path === path);
  if (survey) return <SurveyDetail survey={survey} />;
  return (
    <Page title="Surveys" summary={surveys.data && summaryOf(surveys.data)}>
      <Panel query={surveys} rows={16} empty="There are no surveys.">
        {(all) => <SurveyTable surveys={all} />}
      </Panel>
    </Page>
  );
}

function summaryOf(surveys: readonly SurveyAnswer[]): string[] {
  const flows = new Set(surveys.map(({ flow }) => flow)).size;
  const goNowhere = surveys.filter(({ goesTo }) =>
    goesTo.every(({ takes }) => takes === 'none' || takes === 'later'),
  );
  return [
    `${count(surveys.length)} surveys share ${count(flows)} flows.`,
    ...(goNowhere.length === 0
      ? []
      : [`No destination takes the leads of ${goNowhere.map(({ path }) => path).join(', ')}.`]),
  ];
}

const addressOfSurvey = (path: string) => `/surveys?survey=${encodeURIComponent(path)}`;

const facts: readonly Column<SurveyAnswer>[] = [
  {
    header: 'Path',
    sort: ({ path }) => path,
    cell: ({ path }) => (
      <Go to={addressOfSurvey(path)} className="count-link">
        {path}
      </Go>
    ),
  },
  { header: 'Flow', sort: ({ flow }) => flow },
  { header: 'Language', isMinor: true, sort: ({ language }) => language },
  { header: 'Offer', align: 'end', isMinor: true, sort: ({ offerId }) => offerId },
  { header: 'Affiliate', align: 'end', isMinor: true, sort: ({ affiliateId }) => affiliateId },
];

function SurveyTable({ surveys }: { readonly surveys: readonly SurveyAnswer[] }) {
  const [{ flow = '', language = '', q = '' }, change] = useAddress();
  const go = useGo();
  const usual = useMemo(() => usualOf(surveys), [surveys]);
  const { from, to, label } = usePeriod();
  const { data: numbers } = useApi<BreakdownAnswer>('/api/breakdown', {
    ...{ dimension: 'survey', from, to },
  });
  const shown = surveys.filter(
    (each) =>
      (flow === '' || each.flow === flow) &&
      (language === '' || each.language === language) &&
      textOf(each, usual).includes(q.trim().toLowerCase()),
  );
  return (
    <>
      <div className="body row fields">
        <TextInput
          label="Search"
          type="search"
          placeholder="Path, offer, affiliate, what differs"
          value={q}
          onChange={(text) => change({ q: text || undefined })}
        />
        <Select
          label="Flow"
          isLabelShown
          items={[{ id: '', label: 'All flows' }, ...choices(surveys, (each) => each.flow)]}
          value={flow}
          onChange={(id) => change({ flow: id || undefined })}
        />
        <Select
          label="Language"
          isLabelShown
          items={[{ id: '', label: 'All languages' }, ...choices(surveys, (each) => each.language)]}
          value={language}
          onChange={(id) => change({ language: id || undefined })}
        />
        <p className="quiet" role="status">
          {shown.length < surveys.length && `${count(shown.length)} of ${count(surveys.length)}`}
        </p>
      </div>
      <p className="body quiet fine">{usualWords(usual)}</p>
      {shown.length === 0 ? (
        <Empty>No survey is like this. Change the search or the filters.</Empty>
      ) : (
        <DataTable
          columns={[...facts, visitsColumn(numbers, label), deviationsColumn(usual)]}
          rows={shown}
          rowKey={({ path }) => path}
          label="Surveys"
          onRow={({ path }) => go(addressOfSurvey(path))}
        />
      )}
    </>
  );
}

/** Tells which surveys are in use. */
function visitsColumn(numbers: BreakdownAnswer | undefined, days: string): Column<SurveyAnswer> {
  const visits = new Map(numbers?.rows.map(({ value, totals }) => [value, totals.visits]));
  return {
    header: `Visits (${days})`,
    align: 'end',
    sort: ({ path }) => visits.get(path) ?? 0,
    cell: ({ path }) =>
      visits.has(path) ? (
        <Count value={visits.get(path) ?? 0} to={`/funnels?survey=${encodeURIComponent(path)}`} />
      ) : (
        numbers && <span className="quiet">0</span>
      ),
  };
}

function deviationsColumn(usual: Usual): Column<SurveyAnswer> {
  return {
    header: 'Differs in',
    isMinor: true,
    cell: (survey) => <span className="wrap">{deviations(survey, usual).join(', ')}</span>,
  };
}

/** Returns everything of a survey's row that the search looks through. */
function textOf(survey: SurveyAnswer, usual: Usual): string {
  const { path, flow, offerId, affiliateId } = survey;
  return [path, flow, offerId, affiliateId, ...deviations(survey, usual)].join(' ').toLowerCase();
}

/** Returns the values that surveys have, each with the number of its surveys. */
function choices(surveys: readonly SurveyAnswer[], value: (survey: SurveyAnswer) => string) {
  const values = surveys.map(value);
  return [...new Set(values)].sort().map((id) => {
    const times = values.filter((each) => each === id).length;
    return { id, label: id, note: `${count(times)} survey${times === 1 ? '' : 's'}` };
  });
}
