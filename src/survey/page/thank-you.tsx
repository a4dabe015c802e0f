import { fill } from '../texts/fill.ts';
import { texts } from '../texts/texts.ts';
import type { PagePartProps } from './survey-page.tsx';

/**
 * The thank-you page's content, for the qualified (q=y) or the disqualified (q=n). Depends on nothing
 * that a visitor sent: `thank-you-entry.ts` fills in the state of the lead and the partner's address.
 */
export function ThankYou({
  language,
  settings,
  qualified,
  flow = '',
}: PagePartProps & {
  readonly qualified: boolean;
  /** The flow whose own words it shows, where it has some. */
  readonly flow?: string | undefined;
}) {
  const { thankYou: words, subjects } = texts[language];
  const steps = qualified
    ? (subjects[flow]?.qualifiedSteps ?? words.qualifiedSteps)
    : words.disqualifiedSteps;
  return (
    <div className="card thanks" data-thank-you={qualified ? 'qualified' : 'disqualified'}>
      <svg className="thanks-mark" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="m14.5 24.5 6.5 6.5 13-13.5" />
      </svg>
      <h1>{qualified ? words.qualifiedTitle : words.disqualifiedTitle}</h1>
      <p className="help">{qualified ? words.qualifiedLead : words.disqualifiedLead}</p>
      <p
        className="lead-status"
        id="lead-status"
        role="status"
        data-received={words.statusReceived}
        data-waiting={words.statusWaiting}
        data-stopped={words.statusStopped}
      />
      <h2>{words.nextTitle}</h2>
      <ol className="next-steps">
        {steps.map((step) => (
          <li key={step}>{fill(step, { company: settings.companyName })}</li>
        ))}
      </ol>
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
      <p className="thanks-call">
        {words.call} <a href={settings.phoneHref}>{settings.phoneDisplay}</a>
      </p>
    </div>
  );
}
