import { fill } from '../texts/fill.ts';
import { type ListTexts, type ThankYouTexts, texts } from '../texts/texts.ts';
import { contactCard } from './contact-card.ts';
import { StateSteps } from './state-steps.tsx';
import { inLanguage, type PagePartProps } from './survey-page.tsx';

function List({ title, items }: ListTexts) {
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}

/** The way to call, with its hours, and the number to keep. */
function Call({ language, settings }: PagePartProps) {
  const words = texts[language].thankYou;
  const { companyName, phoneHref, phoneDisplay } = settings;
  const card = contactCard(companyName, phoneHref.replace('tel:', ''));
  return (
    <div className="thanks-call">
      <a className="button" href={phoneHref}>
        {fill(texts[language].controls.callNow, { phone: phoneDisplay })}
      </a>
      <p>{settings.callHours[language]}</p>
      <p>
        <a id="contact-card" href={card} download={`${companyName}.vcf`}>
          {words.saveNumber}
        </a>
      </p>
    </div>
  );
}

/** The letter i, in place of the check mark. */
const unsentMark = 'M24 21.5v12M24 14.5v.5';

/**
 * The thank-you page's content, for the qualified (q=y, and a survey whose query has no q) or the
 * disqualified (q=n). Depends on nothing that a visitor sent: `thank-you-entry.ts` fills in the state of
 * the lead, the visitor's own state and the partner's address.
 */
export function ThankYou({
  language,
  settings,
  qualified,
  words,
  start,
}: PagePartProps & {
  readonly qualified: boolean;
  readonly words: ThankYouTexts;
  /** Where the questions are, for who comes without having answered any. */
  readonly start: string;
}) {
  const steps = qualified ? words.qualifiedSteps : words.disqualifiedSteps;
  return (
    <div className="card thanks" data-thank-you={qualified ? 'qualified' : 'disqualified'}>
      <svg className="thanks-mark" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="m14.5 24.5 6.5 6.5 13-13.5" data-unsent={unsentMark} />
      </svg>
      <h1 data-unsent={words.unsentTitle}>
        {qualified ? words.qualifiedTitle : words.disqualifiedTitle}
      </h1>
      <p className="lead" data-unsent={words.unsentLead}>
        {qualified ? words.qualifiedLead : words.disqualifiedLead}
      </p>
      <p
        className="lead-status"
        id="lead-status"
        role="status"
        data-received={words.statusReceived}
        data-waiting={words.statusWaiting}
        data-stopped={words.statusStopped}
      />
      <a className="button button--quiet" id="start" href={start} hidden>
        {words.unsentStart}
      </a>
      {qualified && <Call language={language} settings={settings} />}
      {!qualified && <StateSteps language={language} />}
      <section>
        <h2>{words.nextTitle}</h2>
        <ol className="numbered">
          {steps.map((step) => (
            <li key={step}>{fill(step, { company: settings.companyName })}</li>
          ))}
        </ol>
      </section>
      {qualified && words.asked && <List {...words.asked} />}
      {qualified && <List {...words.papers} />}
      {words.today.map((section) => (
        <List {...section} key={section.title} />
      ))}
      <p className="take-back">
        {words.takeBack}{' '}
        <a href={inLanguage('/do-not-sell-my-information/', language)}>{words.takeBackLink}</a>.
      </p>
      {!qualified && settings.partnerUrl && (
        <div className="partner" id="partner" hidden>
          <p>{words.partnerNote}</p>
          <a
            className="button"
            href={settings.partnerUrl}
            target="_blank"
            rel="noopener noreferrer"
          >
            {words.partner}
          </a>
        </div>
      )}
      {!qualified && (
        <p className="thanks-call">
          {words.call} <a href={settings.phoneHref}>{settings.phoneDisplay}</a>
        </p>
      )}
    </div>
  );
}
