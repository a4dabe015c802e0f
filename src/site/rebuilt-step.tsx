/**
 * Draws the step of a survey that asked for consent, as it was shown, for evidence packs. `scripts/build.ts` makes one
 * module of it, which the server loads for the first pack.
 */
import { renderToStaticMarkup } from 'react-dom/server';
import { currentConsent, oneToOneConsents } from '../../content/consent/index.ts';
import type { RecordedStep, StepRebuilder } from '../contract/recorded-step.ts';
import { buyersAsAnswers, namingFirms } from '../domain/buyer-choice.ts';
import { calendarDate } from '../domain/dates.ts';
import type { ThemeName } from '../domain/look.ts';
import { fieldsOf, inputFields, stepOf } from '../flows/engine/flow.ts';
import { walkFlat } from '../flows/engine/walk.ts';
import { readAssignment, withVariants } from '../flows/experiments.ts';
import { flowOf, surveyAt } from '../flows/surveys.ts';
import type { PageConsent } from '../journey/data.ts';
import { initialState } from '../journey/state.ts';
import { walkContext } from '../journey/walk-context.ts';
import { consentTextOf } from '../survey/page/consent-html.ts';
import { surveyPageData } from '../survey/page/page-data.ts';
import { renderState } from '../survey/page/render-survey.tsx';
import { LegalLine, SurveyHeader, SurveyPanel } from '../survey/page/survey-page.tsx';
import { optOutNote } from './opt-out-note.ts';
import baseCss from './themes/base.css?inline';
import buyersCss from './themes/buyers.css?inline';
import frameCss from './themes/frame.css?inline';
import { lookOfSurvey } from './themes/look-of-survey.ts';
import primitivesCss from './themes/primitives.css?inline';
import dotsCss from './themes/progress-dots.css?inline';
import percentCss from './themes/progress-percent.css?inline';
import surveyCss from './themes/survey.css?inline';
import choicesCss from './themes/survey-choices.css?inline';
import laterCss from './themes/survey-later.css?inline';
import { compositionCss, logoCss, themeCss } from './themes/theme-css.ts';
import { themes } from './themes/themes.ts';
import tokensCss from './themes/tokens.css?inline';

/** Returns a page with the step, or undefined if the survey's questions have changed since. */
export const rebuildStep: StepRebuilder = async (
  recorded,
  { surveys, experiments, timeZone, site },
) => {
  const row = surveyAt(recorded.path, surveys);
  if (!row) return undefined;
  const survey = withVariants(row, readAssignment(recorded.variants, experiments), experiments);
  const flow = await flowOf(survey);
  const { language } = survey;
  const data = surveyPageData(
    survey,
    flow,
    site,
    currentConsent(language, site.companyName, survey.flow),
    calendarDate(recorded.at, timeZone),
    survey.buyers && oneToOneConsents(language, site.companyName),
    recorded.hasSignal ? optOutNote('survey', language, site) : undefined,
  );
  if (data.flowVersion !== recorded.pageVersion) return undefined;
  const context = walkContext(data, data.today);
  const { steps } = walkFlat(flow, textsOf(recorded.answers), context);
  const shown = buyersAsAnswers(recorded.buyers);
  // The text is what was recorded; only a current one has its bold words and links.
  const isRecorded = (each: PageConsent) =>
    namingFirms(consentTextOf(each), shown.displayed_buyers) ===
    recorded.text.replaceAll(/\s+/g, ' ');
  const own = Object.entries(data.stepConsents ?? {}).find(([, each]) => isRecorded(each));
  const shownAt = own?.[0] === 'oneBuyer' ? 'PhoneAndBuyersConsent' : own?.[0];
  const at = shownAt ?? steps.findLast((name) => stepOf(flow, name).submits);
  if (at === undefined) return undefined;
  const chosen = recorded.buyers.filter((buyer) => buyer.chosen).flatMap(({ ids }) => ids);
  const before = steps.filter((name) => !stepOf(flow, name).submits);
  const given = Object.fromEntries(
    before.map((name) => [name, textsOf(recorded.answers, fieldsOf(stepOf(flow, name)))]),
  );
  const last = before.at(-1);
  if (last !== undefined) given[last] = { ...given[last], ...shown };
  const html = recorded.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const consent = own?.[1] ?? (isRecorded(data.consent) ? data.consent : { ...data.consent, html });
  const island = renderState(
    { ...data, consent, stepConsents: {} },
    {
      ...initialState(flow),
      ...{ given, at, screen: before.length },
      drafts: {
        [at]: {
          ...textsOf(recorded.fields, inputFields(stepOf(flow, at))),
          selected_buyers: chosen.join(','),
        },
      },
    },
  );
  const [name = ''] = recorded.theme.split(' ');
  const scheme = (['light', 'dark'] as const).find((each) => recorded.theme.endsWith(each));
  const look = lookOfSurvey(survey, flow);
  const theme = Object.hasOwn(themes, name) ? (name as ThemeName) : look.theme;
  const face = {
    url: '',
    css: '',
    first: 'var(--font)',
    family: `${themes[theme].face},var(--font)`,
  };
  // A frame may hide its scroll bar, as a phone does.
  const noBar = 'html{scrollbar-gutter:auto;scrollbar-width:none}';
  const css = [
    ...[themeCss(theme, face), logoCss(look.logo), compositionCss(theme), tokensCss, baseCss],
    ...[primitivesCss, frameCss, surveyCss, choicesCss, laterCss, buyersCss, dotsCss, percentCss],
    noBar,
  ].join('');
  const parts = { language, settings: site, logo: look.logo };
  const page = `<!doctype html>${renderToStaticMarkup(
    <html
      lang={language}
      data-theme={theme}
      data-logo={look.logo}
      data-progress={look.progress}
      data-scheme={scheme}
    >
      <head>
        <meta charSet="utf-8" />
        <title>{at}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheets */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        <SurveyHeader {...parts} />
        <main className="survey-page">
          <SurveyPanel {...parts} flow={flow.id} scene={themes[theme].scene} />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React */}
          <div id="survey" dangerouslySetInnerHTML={{ __html: island }} />
          <LegalLine {...parts} flow={flow.id} />
        </main>
      </body>
    </html>,
  )}`;
  // The frame of a pack runs no script, but the visitor's browser did.
  return recorded.ranScripts
    ? page
        .replaceAll(/<noscript>[\s\S]*?<\/noscript>/g, '')
        .replaceAll(/\(scripting: *none\)/g, 'not all')
    : page;
};

/** Returns the values that are texts. @param names the wanted values; default: all */
function textsOf(
  values: RecordedStep['answers'],
  names: readonly string[] = Object.keys(values),
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
