import type { BreakdownAnswer } from '../../../contract/console/numbers.ts';
import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { Go, useAddress, useGo } from '../../parts/address.tsx';
import { TextInput } from '../../parts/controls.tsx';
import { Empty, Page, Panel } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Count } from '../../parts/values.tsx';
import { SurveyDetail } from './survey-detail.tsx';
import { deviations } from './survey-words.ts';
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

const differsColumn: Column<SurveyAnswer> = {
  header: 'Differs in',
  isMinor: true,
  cell: (survey) => <span className="wrap">{deviations(survey).join(', ')}</span>,
};

function SurveyTable({ surveys }: { readonly surveys: readonly SurveyAnswer[] }) {
  const [{ q = '' }, change] = useAddress();
  const go = useGo();
  const { from, to, label } = usePeriod();
  const { data: numbers } = useApi<BreakdownAnswer>('/api/breakdown', {
    dimension: 'survey',
    from,
    to,
  });
  const shown = surveys.filter((each) => textOf(each).includes(q.trim().toLowerCase()));
  return (
    <>
      <div className="body row fields">
        <TextInput
          label="Search"
          type="search"
          placeholder="Path, flow, language, offer, what differs"
          value={q}
          onChange={(text) => change({ q: text || undefined })}
        />
        <p className="quiet" role="status">
          {shown.length < surveys.length && `${count(shown.length)} of ${count(surveys.length)}`}
        </p>
      </div>
      {shown.length === 0 ? (
        <Empty>No survey is like this. Change the search.</Empty>
      ) : (
        <DataTable
          columns={[...facts, visitsColumn(numbers, label), differsColumn]}
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

/** Returns everything of a survey's row that the search looks through. */
function textOf(survey: SurveyAnswer): string {
  const { path, flow, language, offerId, affiliateId } = survey;
  const words = [path, flow, language, offerId, affiliateId, ...deviations(survey)];
  return words.join(' ').toLowerCase();
}
