import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { Go } from '../../parts/link.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Code } from '../../parts/values.tsx';
import { SurveyDetail } from './survey-detail.tsx';
import { scriptNames, unusualToggles } from './survey-words.ts';
import './surveys.css';

type Search = Readonly<Record<string, string | undefined>>;

/** Lists every survey, or shows the one that the address names. */
export default function SurveysPage() {
  const { survey: path }: Search = useSearch({ strict: false });
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

const columns: readonly Column<SurveyAnswer>[] = [
  {
    id: 'path',
    header: 'Path',
    sort: ({ path }) => path,
    cell: ({ path }) => <Go to={`/surveys?survey=${encodeURIComponent(path)}`}>{path}</Go>,
  },
  {
    id: 'flow',
    header: 'Flow',
    sort: ({ flow }) => flow,
    cell: ({ flow }) => flow,
  },
  {
    id: 'language',
    header: 'Language',
    isMinor: true,
    sort: ({ language }) => language,
    cell: ({ language }) => language,
  },
  {
    id: 'offer',
    header: 'Offer',
    align: 'end',
    sort: ({ offerId }) => offerId,
    cell: ({ offerId }) => offerId,
  },
  {
    id: 'affiliate',
    header: 'Affiliate',
    align: 'end',
    isMinor: true,
    sort: ({ affiliateId }) => affiliateId,
    cell: ({ affiliateId }) => affiliateId,
  },
  {
    id: 'theme',
    header: 'Theme',
    isMinor: true,
    sort: ({ theme }) => theme,
    cell: ({ theme }) => theme,
  },
  {
    id: 'toggles',
    header: 'Unusual toggles',
    isMinor: true,
    cell: (survey) => <span className="wraps">{unusualToggles(survey).join(', ')}</span>,
  },
  {
    id: 'thank-you',
    header: 'Thank-you page',
    isMinor: true,
    sort: ({ thankYouPath }) => thankYouPath,
    cell: ({ thankYouPath }) => <Code>{thankYouPath}</Code>,
  },
  {
    id: 'scripts',
    header: 'Third parties',
    isMinor: true,
    cell: (survey) => <span className="wraps">{scriptNames(survey).join(', ') || 'none'}</span>,
  },
];

function SurveyTable({ surveys }: { readonly surveys: readonly SurveyAnswer[] }) {
  const navigate = useNavigate();
  return (
    <DataTable
      columns={columns}
      rows={surveys}
      rowKey={({ path }) => path}
      label="Surveys"
      onRow={({ path }) => void navigate({ to: '.', search: { survey: path } as never })}
    />
  );
}
