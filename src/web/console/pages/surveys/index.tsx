import type { BreakdownAnswer } from '../../../../model/messages/console/numbers.ts';
import type { SurveyAnswer } from '../../../../model/messages/console/work.ts';
import { polled, useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { Go, useAddress, useGo } from '../../parts/address.tsx';
import { Page } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { type Column, ListPanel } from '../../parts/table.tsx';
import { Count } from '../../parts/values.tsx';
import { SurveyDetail } from './survey-detail.tsx';
import './surveys.css';

/** Lists every survey, or shows the one that the address names. */
export default function SurveysPage() {
  const [{ survey: path }] = useAddress();
  const surveys = useApi<readonly SurveyAnswer[]>('/api/surveys', {}, { staleTime: 300_000 });
  const { from, to, label } = usePeriod();
  const period = { dimension: 'survey', from, to };
  const { data: numbers } = useApi<BreakdownAnswer>('/api/breakdown', period, polled);
  const go = useGo();
  const survey = surveys.data?.find((each) => each.path === path);
  if (survey) return <SurveyDetail survey={survey} />;
  return (
    <Page title="Surveys" summary={surveys.data && summaryOf(surveys.data)}>
      <ListPanel
        label="Surveys"
        query={surveys}
        columns={[...facts, visitsColumn(numbers, label)]}
        rowKey={(each) => each.path}
        onRow={(each) => go(addressOfSurvey(each.path))}
        rows={16}
      />
    </Page>
  );
}

function summaryOf(surveys: readonly SurveyAnswer[]): string[] {
  const flows = new Set(surveys.map(({ flow }) => flow)).size;
  const goNowhere = surveys
    .filter(({ goesTo }) => goesTo.every(({ takes }) => takes === 'none' || takes === 'later'))
    .map(({ path }) => path);
  const share = `${count(surveys.length)} surveys share ${count(flows)} flows.`;
  if (goNowhere.length === 0) return [share];
  return [share, `No destination takes the leads of ${goNowhere.join(', ')}.`];
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
