import { encode } from 'uqr';
import type { SurveyAnswer, SurveyDestination } from '../../../contract/console/work.ts';
import { unusualRules } from '../../../flows/survey-words.ts';
import { capital } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { Badge, Code, Facts, type Tone } from '../../parts/values.tsx';
import { Experiments } from './experiments.tsx';
import { Screens } from './screens.tsx';
import { scriptWords, unusualToggles } from './survey-words.ts';

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
          <Card title="Third parties’ scripts">
            <Scripts scripts={survey.scripts} />
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

function Scripts({ scripts }: Pick<SurveyAnswer, 'scripts'>) {
  if (scripts.length === 0) {
    return (
      <p className="body quiet">
        Its pages load no script of a third party. Settings such as TRUSTEDFORM_SCRIPT_URL add them.
      </p>
    );
  }
  return (
    <ul className="body stack">
      {scripts.map((script) => {
        const { title, host, when } = scriptWords(script);
        return (
          <li key={`${script.name}${script.pool ?? ''}`}>
            <strong>{title}</strong> <Code>{host}</Code>
            <span className="quiet"> {when}</span>
          </li>
        );
      })}
    </ul>
  );
}
