import { encode } from 'uqr';
import { base } from '../../../../model/flows/surveys.ts';
import type { BreakdownAnswer } from '../../../../model/messages/console/numbers.ts';
import type { SurveyAnswer, SurveyDestination } from '../../../../model/messages/console/work.ts';
import { addressOf, polled, useApi } from '../../api.ts';
import { counted } from '../../format.ts';
import { Go, useGo, useUrlQuery } from '../../parts/address.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { usePeriod } from '../../parts/period.tsx';
import { type Column, ListPanel } from '../../parts/table.tsx';
import { Badge, Code, Count, Facts, type Tone } from '../../parts/values.tsx';
import { Experiments } from './experiments.tsx';
import './surveys.css';

/** Lists the surveys, or shows the survey in the URL. */
export default function SurveysPage() {
  const [{ survey: path }] = useUrlQuery();
  const surveys = useApi<readonly SurveyAnswer[]>('/api/surveys', {}, { staleTime: 300_000 });
  const { from, to, label } = usePeriod();
  const period = { dimension: 'survey', from, to };
  const { data: numbers } = useApi<BreakdownAnswer>('/api/breakdown', period, polled);
  const go = useGo();
  const survey = surveys.data?.find((each) => each.path === path);
  if (survey) return <OneSurvey survey={survey} />;
  return (
    <Page title="Surveys" summary={surveys.data && summaryOf(surveys.data)}>
      <ListPanel
        label="Surveys"
        query={surveys}
        columns={[...columns, visitsColumn(numbers, label)]}
        rowKey={(each) => each.path}
        onRow={(each) => go(addressOfSurvey(each.path))}
        rows={16}
      />
    </Page>
  );
}

function summaryOf(surveys: readonly SurveyAnswer[]): string[] {
  const flows = new Set(surveys.map(({ flow }) => flow)).size;
  const unsold = surveys.filter(isUnsold).map(({ path }) => path);
  return [
    `${counted(surveys.length, 'survey')} use ${counted(flows, 'flow')}.`,
    ...(unsold.length > 0 ? [`No destination takes the leads of ${unsold.join(', ')}.`] : []),
  ];
}

function isUnsold({ goesTo }: SurveyAnswer): boolean {
  return goesTo.every(({ takes }) => takes === 'none' || takes === 'later');
}

const addressOfSurvey = (survey: string) => addressOf('/surveys', { survey });
const funnelOf = (survey: string) => addressOf('/funnels', { survey });

const columns: readonly Column<SurveyAnswer>[] = [
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
      numbers && (
        <Count value={visits.get(path) ?? 0} to={visits.has(path) ? funnelOf(path) : undefined} />
      ),
  };
}

type SurveyProps = { readonly survey: SurveyAnswer };

function OneSurvey({ survey }: SurveyProps) {
  const { path, goesTo } = survey;
  return (
    <Page
      title={path}
      summary={isUnsold(survey) ? ['No destination takes leads of this survey.'] : []}
      actions={
        <>
          <Go to={funnelOf(path)}>Funnel</Go>
          <Go to="/surveys">All surveys</Go>
        </>
      }
    >
      <Experiments survey={path} />
      <div className="beside">
        <div>
          <Card title="Try it">
            <TryIt survey={survey} />
          </Card>
          <Card title="Row of the table">
            <div className="body">
              <Row survey={survey} />
            </div>
          </Card>
        </div>
        <Card title="Where a lead goes">
          <p className="body quiet">
            A destination that is a <Go to="/buyers">buyer</Go> gets only leads for which it is
            chosen.
          </p>
          <GoesTo goesTo={goesTo} />
        </Card>
      </div>
    </Page>
  );
}

/** Describes which leads of a survey a destination receives. */
const takesWords: Readonly<Record<SurveyDestination['takes'], { text: string; tone: Tone }>> = {
  all: { text: 'Every lead', tone: 'good' },
  some: { text: 'Some leads', tone: 'accent' },
  later: { text: 'Later', tone: 'warning' },
  none: { text: 'No lead', tone: 'plain' },
};
const order = Object.keys(takesWords);

function GoesTo({ goesTo }: Pick<SurveyAnswer, 'goesTo'>) {
  const sorted = goesTo.toSorted(
    (one, other) => order.indexOf(one.takes) - order.indexOf(other.takes),
  );
  return (
    <ul className="lines">
      {sorted.map(({ destination, title, takes, text, takesTests }) => (
        <li key={destination}>
          <div className="row spread">
            <span>
              <strong>{title}</strong> <span className="quiet">{destination}</span>
            </span>
            <Badge tone={takesWords[takes].tone}>{takesWords[takes].text}</Badge>
          </div>
          <p>{text}</p>
          {takesTests && <p className="quiet">Gets test leads.</p>}
        </li>
      ))}
    </ul>
  );
}

function TryIt({ survey: { testAddress, isPublic } }: SurveyProps) {
  return (
    <div className="body row">
      <QrCode text={testAddress} />
      <div className="stack">
        <a className="text-link row" href={testAddress} target="_blank" rel="noreferrer">
          Open the survey as a test <Icon name="external" />
        </a>
        <p>
          <Code>lp_action=test</Code> marks the lead as a test. The list of leads shows it with the
          filter “Test leads”, and no number counts it.
        </p>
        {!isPublic && (
          <p className="quiet">
            The code works on this machine only. Set <Code>PUBLIC_URL</Code> to open it on a phone.
          </p>
        )}
      </div>
    </div>
  );
}

/** Draws a QR code. Cameras expect dark squares on white, even in a dark color scheme. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const label = `QR code of ${text}`;
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join('')} />
    </svg>
  );
}

function Row({ survey }: SurveyProps) {
  const { flow, path, language, translation, theme, logo, progress, buyers } = survey;
  return (
    <Facts
      of={{
        Flow: <Go to={funnelOf(path)}>{flow}</Go>,
        'Offer, affiliate': `${survey.offerId}, ${survey.affiliateId}`,
        Language: language,
        Translation: translation && <Go to={addressOfSurvey(translation)}>{translation}</Go>,
        Look: [`theme ${theme}`, logo && `logo ${logo}`, progress && `progress ${progress}`]
          .filter(Boolean)
          .join(', '),
        'Unusual toggles': unusual(survey.toggles, base.toggles).join(', '),
        'Thank-you page': <Code>{survey.thankYouPath}</Code>,
        Buyers: typeof buyers === 'object' ? buyers.map(({ name }) => name).join(', ') : buyers,
        'Special rules':
          unusual(survey, { ...base, startsWithCaseWorth: undefined }).join(', ') || 'none',
      }}
    />
  );
}

type Columns = Readonly<Record<string, unknown>>;

/** Returns the names, in words, of the toggles that differ from the defaults. */
function unusual(own: Columns, usual: Columns): string[] {
  return Object.keys(usual).flatMap((name) => {
    const isOn = own[name];
    if (typeof isOn !== 'boolean' || isOn === usual[name]) return [];
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return [`${words}${isOn ? '' : ': off'}`];
  });
}
