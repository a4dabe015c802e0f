/** Renders single screens on the server, for a survey that is answered by posting forms. */
import { renderToString } from 'react-dom/server';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Survey } from '../../flows/surveys.ts';
import type { FormProblemReason } from '../../journey/posted-form.ts';
import { CallButton } from '../screens/end-screens.tsx';
import { texts } from '../texts/texts.ts';

export { renderState } from './render-survey.tsx';

/** Renders the reason why a form was refused, in place of the survey, with links to continue. */
export function renderFormProblem(
  { path, language }: Pick<Survey, 'path' | 'language'>,
  settings: Pick<SiteSettings, 'phoneDisplay' | 'phoneHref'>,
  reason: FormProblemReason,
): string {
  const { page, controls } = texts[language];
  const { title, text } = page.formProblems[reason];
  return renderToString(
    <div className="survey">
      <div className="card" data-form-problem={reason}>
        <section className="screen">
          <h1 id="question" tabIndex={-1}>
            {title}
          </h1>
          <p className="help">{text}</p>
          <div className="form">
            <CallButton texts={{ controls }} settings={settings} />
          </div>
          <p>
            <a className="back" href={path}>
              {page.startAgain}
            </a>
          </p>
        </section>
      </div>
    </div>,
  );
}
