import { useState } from 'react';
import { encode } from 'uqr';
import { unusualRules } from '../../../../model/flows/survey-words.ts';
import { base } from '../../../../model/flows/surveys.ts';
import type { ExperimentAnswer, JudgedArm } from '../../../../model/messages/console/numbers.ts';
import type { SurveyAnswer, SurveyDestination } from '../../../../model/messages/console/work.ts';
import { polled, useApi } from '../../api.ts';
import { capital, count, percent, pointsText } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { TextInput } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Badge, Code, Facts, type Tone } from '../../parts/values.tsx';
import { Screens } from './screens.tsx';

type SurveyProps = { readonly survey: SurveyAnswer };

/** Shows one survey: its screens, its row, how to try it, and where its leads go. */
export function SurveyDetail({ survey }: SurveyProps) {
  const { path, goesTo } = survey;
  return (
    <Page
      title={path}
      summary={[destinationsSentence(goesTo)]}
      actions={
        <>
          <Go to={`/funnels?survey=${encodeURIComponent(path)}`}>Funnel</Go>
          <Go to="/surveys">All surveys</Go>
        </>
      }
    >
      <div className="beside survey">
        <Card title="Screens">
          <Screens survey={survey} />
        </Card>
        <div>
          <Experiments survey={path} />
          <Card title="Where a lead goes">
            <GoesTo goesTo={goesTo} />
          </Card>
          <Card title="Try it">
            <TryIt survey={survey} />
          </Card>
          <Card title="Row of the table">
            <div className="body">
              <Row survey={survey} />
            </div>
          </Card>
        </div>
      </div>
    </Page>
  );
}

function destinationsSentence(goesTo: SurveyAnswer['goesTo']): string {
  const named = (takes: SurveyDestination['takes']) =>
    goesTo
      .filter((each) => each.takes === takes)
      .map(({ destination }) => destination)
      .join(', ');
  const [always, sometimes, later] = [named('all'), named('some'), named('later')];
  const parts = [
    always && `A lead goes to ${always}`,
    sometimes && `some leads also to ${sometimes}`,
    later && `it is kept until a setting enables ${later}`,
  ].filter(Boolean);
  return `${capital(parts.join('; ') || 'No destination takes its leads')}.`;
}

/** What a destination takes, in the order of the list. */
const takesWords: Readonly<Record<SurveyDestination['takes'], { text: string; tone: Tone }>> = {
  all: { text: 'Every lead', tone: 'good' },
  some: { text: 'Some leads', tone: 'accent' },
  later: { text: 'Later', tone: 'warn' },
  none: { text: 'No lead', tone: 'plain' },
};
const order = Object.keys(takesWords);

/** Lists the destinations: which leads of the survey each gets, and why not. Those that get some come first. */
function GoesTo({ goesTo }: Pick<SurveyAnswer, 'goesTo'>) {
  const sorted = goesTo.toSorted(
    (one, other) => order.indexOf(one.takes) - order.indexOf(other.takes),
  );
  return (
    <ul className="lines">
      {sorted.map(({ destination, title, takes, text, testText }) => (
        <li key={destination}>
          <div className="row spread">
            <span>
              <strong>{destination}</strong> <span className="quiet">{title}</span>
            </span>
            <Badge tone={takesWords[takes].tone}>{takesWords[takes].text}</Badge>
          </div>
          <p>{text}</p>
          {testText !== '' && <p className="quiet">{testText}</p>}
        </li>
      ))}
    </ul>
  );
}

/** Offers the survey's address with the mark of a test lead, as a link and as a QR code. */
function TryIt({ survey: { testAddress, isPublic, goesTo } }: SurveyProps) {
  const unmarked = goesTo.filter(({ testText }) => testText.includes('like real ones'));
  return (
    <div className="body row try-it">
      <QrCode text={testAddress} />
      <div className="stack">
        <a className="text-link row" href={testAddress} target="_blank" rel="noreferrer">
          Open the survey as a test <Icon name="external" />
        </a>
        <p>
          <Code>lp_action=test</Code> marks the lead as a test. It is stored, shown in Leads with
          “tests”, and counts in no number.
        </p>
        {unmarked.length > 0 && (
          <p>
            {unmarked.map(({ destination }) => destination).join(', ')} cannot tell it from a real
            one.
          </p>
        )}
        {!isPublic && (
          <p className="quiet">
            The code works on this machine only. Set <Code>PUBLIC_URL</Code> to open it on a phone.
          </p>
        )}
      </div>
    </div>
  );
}

/** Draws a QR code, dark on white in both schemes, as cameras expect it. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={`QR code of ${text}`}
    >
      <path d={path.join('')} />
    </svg>
  );
}

function Row({ survey }: SurveyProps) {
  const { path, flow, language, translation, theme, logo, progress, buyers } = survey;
  return (
    <Facts
      of={{
        Flow: <Go to={`/funnels?survey=${encodeURIComponent(path)}`}>{flow}</Go>,
        'Offer, affiliate': `${survey.offerId}, ${survey.affiliateId}`,
        Language: translation ? (
          <>
            {language}, translated as{' '}
            <Go to={`/surveys?survey=${encodeURIComponent(translation)}`}>{translation}</Go>
          </>
        ) : (
          language
        ),
        Look: [`theme ${theme}`, logo && `logo ${logo}`, progress && `progress ${progress}`]
          .filter(Boolean)
          .join(', '),
        'Unusual toggles': unusualToggles(survey).join(', '),
        'Thank-you page': <Code>{survey.thankYouPath}</Code>,
        Buyers: typeof buyers === 'object' && buyers.map(({ name }) => name).join(', '),
        'Special rules': unusualRules(survey).join(', ') || 'none',
      }}
    />
  );
}

/** Shows the experiments that run on a survey; nothing if none does. */
function Experiments({ survey }: { readonly survey: string }) {
  const [from, setFrom] = useState('');
  const { data = [] } = useApi<readonly ExperimentAnswer[]>(
    '/api/surveys/experiments',
    { survey, from },
    polled,
  );
  return data.map((experiment) => (
    <Card title={`Experiment ${experiment.id}`} key={experiment.id}>
      <div className="body stack">
        <p>{experiment.summary}</p>
        <TextInput
          label="Count from (empty: a year ago)"
          type="date"
          value={from}
          onChange={setFrom}
        />
      </div>
      <ExperimentTable experiment={experiment} />
    </Card>
  ));
}

const columns: readonly Column<JudgedArm>[] = [
  { header: 'Variant', sort: ({ variant }) => variant },
  { header: 'Visits', align: 'end', sort: ({ visits }) => visits },
  {
    header: 'Accepted leads',
    align: 'end',
    cell: ({ accepted, visits }) => `${percent(accepted, visits)} of ${count(visits)}`,
  },
  {
    header: 'Difference (points)',
    align: 'end',
    isMinor: true,
    cell: ({ difference }) =>
      difference === null
        ? ''
        : `${pointsText(100 * difference.low)} to ${pointsText(100 * difference.high)}`,
  },
  { header: 'So far', cell: ({ verdict }) => verdict },
];

/** Draws the variants of one experiment. Without a valid sample ratio no variant has a verdict. */
export function ExperimentTable({ experiment }: { readonly experiment: ExperimentAnswer }) {
  const { id, arms, isMismatch } = experiment;
  return (
    <DataTable
      columns={isMismatch ? columns.slice(0, 3) : columns}
      rows={arms}
      rowKey={({ variant }) => variant}
      label={`Variants of ${id}`}
    />
  );
}

const toggleNames: Readonly<Record<keyof SurveyAnswer['toggles'], string>> = {
  roundedButtons: 'rounded buttons',
  firstQuestionHeader: 'header on the first question',
  lastStepHeader: 'header on the last step',
  hidePercentSign: 'no percent sign',
  hidePrivacyGuarantee: 'no privacy guarantee',
  socialProof: 'social proof',
  combinedLastStep: 'combined last step',
};

/** Returns the toggles in which a survey differs from most surveys. */
export function unusualToggles({ toggles }: Pick<SurveyAnswer, 'toggles'>): string[] {
  return Object.entries(toggleNames).flatMap(([key, words]) => {
    const name = key as keyof SurveyAnswer['toggles'];
    if (toggles[name] === base.toggles[name]) return [];
    return [toggles[name] ? words : `no ${words}`];
  });
}
