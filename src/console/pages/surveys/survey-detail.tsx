import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { unusualRules } from '../../../flows/survey-words.ts';
import { capital } from '../../format.ts';
import { Go } from '../../parts/link.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { Code } from '../../parts/values.tsx';
import { Experiments } from './experiments.tsx';
import { GoesTo } from './goes-to.tsx';
import { Screens } from './screens.tsx';
import { scriptWords, togglesOn } from './survey-words.ts';
import { TryIt } from './try-it.tsx';

/** Shows one survey: its screens, its row, how to try it, and where its leads go. */
export function SurveyDetail({ survey }: { readonly survey: SurveyAnswer }) {
  const { path, goesTo } = survey;
  return (
    <Page
      title={path}
      summary={[destinationsSentence(goesTo)]}
      actions={
        <>
          <Go to={`/funnels?survey=${encodeURIComponent(path)}`} className="text-link">
            Funnel
          </Go>
          <Go to="/surveys" className="text-link">
            All surveys
          </Go>
        </>
      }
    >
      <div className="survey-detail">
        <Card title="Screens" className="survey-screens">
          <Screens survey={survey} />
        </Card>
        <div className="survey-facts">
          <Experiments survey={path} />
          <Card title="Where a lead goes">
            <GoesTo goesTo={goesTo} />
          </Card>
          <Card title="Try it">
            <TryIt survey={survey} />
          </Card>
          <Card title="Row of the table">
            <Row survey={survey} />
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
  const named = (takes: readonly string[]) =>
    goesTo.filter((each) => takes.includes(each.takes)).map(({ destination }) => destination);
  const [always, sometimes, later] = [named(['all']), named(['some']), named(['later'])];
  const parts = [
    ...(always.length > 0 ? [`A lead goes to ${always.join(', ')}`] : []),
    ...(sometimes.length > 0 ? [`some leads also to ${sometimes.join(', ')}`] : []),
    ...(later.length > 0
      ? [`it is kept while ${later.join(', ')} ${later.length === 1 ? 'is' : 'are'} not set up`]
      : []),
  ];
  const text = parts.join('; ') || 'No destination takes its leads';
  return `${capital(text)}.`;
}

function Row({ survey }: { readonly survey: SurveyAnswer }) {
  const { path, flow, language, translation, offerId, affiliateId } = survey;
  const { theme, logo, progress, thankYouPath, buyers } = survey;
  const rules = unusualRules(survey);
  const fixed = typeof buyers === 'object' ? buyers.map(({ name }) => name).join(', ') : undefined;
  return (
    <dl className="survey-row">
      <dt>Flow</dt>
      <dd>
        <Go to={`/funnels?survey=${encodeURIComponent(path)}`} className="text-link">
          {flow}
        </Go>
      </dd>
      <dt>Offer, affiliate</dt>
      <dd>
        {offerId}, {affiliateId}
      </dd>
      <dt>Language</dt>
      <dd>
        {language}
        {translation && (
          <>
            , translated as{' '}
            <Go to={`/surveys?survey=${encodeURIComponent(translation)}`} className="text-link">
              {translation}
            </Go>
          </>
        )}
      </dd>
      <dt>Look</dt>
      <dd>
        theme {theme}
        {logo && `, logo ${logo}`}
        {progress && `, progress ${progress}`}
      </dd>
      <dt>Toggles</dt>
      <dd>{togglesOn(survey).join(', ') || 'none'}</dd>
      <dt>Thank-you page</dt>
      <dd>
        <Code>{thankYouPath}</Code>
      </dd>
      {fixed && (
        <>
          <dt>Buyers</dt>
          <dd>{fixed}</dd>
        </>
      )}
      <dt>Special rules</dt>
      <dd>{rules.join(', ') || 'none'}</dd>
    </dl>
  );
}

function Scripts({ scripts }: Pick<SurveyAnswer, 'scripts'>) {
  if (scripts.length === 0) {
    return (
      <p className="quiet no-scripts">
        Its pages load no script of a third party. Settings such as TRUSTEDFORM_SCRIPT_URL add them.
      </p>
    );
  }
  return (
    <ul className="survey-scripts">
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
