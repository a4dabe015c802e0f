import { formatIso } from '../../../model/fields/dates.ts';
import type { Language } from '../../../model/fields/language.ts';
import { stateFragment, thankYouFragments } from '../../../model/messages/page-manifest.ts';
import type { ConsentText } from '../../../model/messages/site-settings.ts';
import barAssociations from '../../../model/rules/bar-associations.json' with { type: 'json' };
import { limitationTable } from '../../../model/rules/limitation.ts';
import { limitYears } from '../../../model/rules/limitation-years.ts';
import { escapeText, textFile } from '../call-calendar.ts';
import { dayText } from '../texts/law-facts.ts';
import { type FieldTexts, fill, type ListTexts } from '../texts/shared.ts';
import { stateName, stateNames } from '../texts/state-names.ts';
import { texts } from '../texts/texts.ts';
import type { ThankYouTexts } from '../texts/thank-you.ts';
import { inLanguage, type PagePartProps } from './survey-page.tsx';

type ThankYouProps = PagePartProps & {
  readonly qualified: boolean;
  readonly words: ThankYouTexts;
  readonly start: string;
  readonly consentLinks?: ConsentText['links'];
  readonly hasFirms?: boolean;
  /** The states whose leads no law firm gets (docs/specification.md#told-early). */
  readonly closedStates?: readonly string[];
};

function CallCard({ language, settings, words }: ThankYouProps) {
  const { companyName, phoneHref, phoneDisplay } = settings;
  const hours = settings.callHours[language];
  const card = contactCard(companyName, phoneHref.replace('tel:', ''));
  return (
    <section className="call-card">
      <div className="of-choice">
        <h2>{words.callTitle}</h2>
        <p className="if-unsent">{words.callerUnsent}</p>
        <p id="caller" className="if-sent" data-callers={fill(words.callers, { firms: '%s' })}>
          {fill(words.caller, { phone: phoneDisplay })}
        </p>
        <p className="if-sent">{words.ownNumber}</p>
        {words.asked && (
          <>
            <p id="wish" className="if-sent" {...wishData(words)} hidden />
            <p id="speak" className="if-sent">
              {words.speak}
            </p>
            <a
              id="calendar"
              className="if-sent"
              href="data:text/calendar,"
              download="call.ics"
              data-title={words.mayCall}
              data-note={words.ownNumber}
            >
              {words.calendar}
            </a>
            <h3>{words.asked.title}</h3>
            <ul>
              {words.asked.items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </>
        )}
      </div>
      <h2>{words.ourNumber}</h2>
      <a className="button button--quiet" href={phoneHref}>
        {fill(texts[language].controls.callNow, { phone: phoneDisplay })}
      </a>
      {hours && <p className="hours muted">{hours}</p>}
      <p>
        <a id="contact-card" href={card} download={`${companyName}.vcf`}>
          {words.saveNumber}
        </a>
      </p>
    </section>
  );
}

/** Returns the sentence about the visitor's wishes, with the words of each, as data attributes. */
function wishData({ wish, wishes }: ThankYouTexts) {
  const words = Object.entries(wishes).map(([value, text]) => [
    `data-${value.toLowerCase()}`,
    text,
  ]);
  return { 'data-wish': fill(wish, { wish: '%s' }), ...Object.fromEntries(words) };
}

/** The checklist for the call. The browser tab stores which items are ticked. */
function ReadyList({ title, items, ofRun }: ListTexts & { readonly ofRun: boolean }) {
  return (
    <section hidden={ofRun} data-run={ofRun}>
      <h2>{title}</h2>
      <ul className="ready">
        {items.map((item) => (
          <li key={item}>
            <label className="buyer">
              <input type="checkbox" autoComplete="off" />
              <span>{item}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The form in which a visitor can choose a law firm later (docs/specification.md#later-choice). */
function NoFirm({ language, settings, words: { noFirm }, consentLinks = [] }: ThankYouProps) {
  const { ofOne } = texts[language].fields.selected_buyers as Required<FieldTexts>;
  return (
    <div className="of-none">
      <div className="if-late">
        <h1 tabIndex={-1}>{noFirm.lateTitle}</h1>
        <p className="lead">{noFirm.lateLead}</p>
      </div>
      <div className="if-early">
        <h1>{noFirm.title}</h1>
        <p className="lead">{noFirm.lead}</p>
        <p id="choose-by-phone">{noFirm.call}</p>
      </div>
      <form id="choose-firms" data-minutes={settings.choiceWaitMinutes} hidden noValidate>
        <fieldset className="buyers" aria-describedby="choose-error">
          <legend data-one={fill(ofOne.question, { firm: '%s' })} data-yes={ofOne.yes}>
            {noFirm.legend}
          </legend>
        </fieldset>
        <p className="error" id="choose-error" role="alert" hidden>
          {noFirm.missing}
        </p>
        {/* fill-thanks.ts inserts these links into the consent text that the visitor saw. */}
        <p className="consent-later" id="tcpa">
          {consentLinks.map(([words, href]) => (
            <a href={href} target="_blank" rel="noopener" key={href}>
              {words}
            </a>
          ))}
        </p>
        <button className="button" type="submit">
          {noFirm.button}
        </button>
      </form>
    </div>
  );
}

/** Replaces the texts about a call if no law firm gets the visitor's answers. */
function ClosedState(props: ThankYouProps & { readonly code: string }) {
  const { language, words, closedStates, code } = props;
  const state = stateName(language, code);
  return (
    <div className="closed" id={stateFragment(code)}>
      <h1 tabIndex={-1}>{words.disqualifiedTitle}</h1>
      <p className="lead">
        {closedStates?.includes(code) ? fill(words.closedLead, { state }) : words.unsignedLead}
      </p>
      <section>
        <h2>{fill(words.ownStateTitle, { state })}</h2>
        <NextSteps language={language} code={code} />
        <p className="fine">{words.deadlineNote}</p>
      </section>
    </div>
  );
}

/** The content of a thank-you page, without the visitor's data. A script adds the data. */
export function ThankYou(props: ThankYouProps) {
  const { language, settings, qualified, words, start, hasFirms, closedStates = [] } = props;
  const { partnerUrl, phoneHref, phoneDisplay } = settings;
  return (
    <div className="card thanks" data-thank-you={qualified ? 'qualified' : 'disqualified'}>
      {/* Target of the fragment that shows the text for visitors without a law firm. */}
      {qualified && hasFirms && <i id={thankYouFragments.noFirm} hidden />}
      {qualified &&
        // Visitors in Washington may refuse (docs/specification.md#health-authorization).
        [...new Set([...closedStates, 'WA'])].map((code) => (
          <ClosedState {...props} code={code} key={code} />
        ))}
      <div className="of-choice if-unsent">
        <h1>{words.unsentTitle}</h1>
        <p className="lead">{words.unsentLead}</p>
      </div>
      <div className="of-choice if-sent">
        {qualified && (
          <svg className="thanks-mark" viewBox="0 0 48 48" aria-hidden="true">
            <circle cx="24" cy="24" r="22" />
            <path d="m14.5 24.5 6.5 6.5 13-13.5" />
          </svg>
        )}
        <h1 tabIndex={-1}>{qualified ? words.qualifiedTitle : words.disqualifiedTitle}</h1>
        <p className="lead">{qualified ? words.qualifiedLead : words.disqualifiedLead}</p>
      </div>
      {qualified && hasFirms && <NoFirm {...props} />}
      <p
        className="lead-status if-sent"
        id="lead-status"
        role="status"
        data-received={words.statusReceived}
        data-waiting={words.statusWaiting}
        data-stopped={words.statusStopped}
      />
      <a className="button button--quiet if-unsent" id="start" href={start}>
        {words.unsentStart}
      </a>
      {qualified ? (
        <>
          <CallCard {...props} />
          <ReadyList {...words.papers} ofRun={false} />
          <ReadyList {...words.papersOfRun} ofRun />
        </>
      ) : (
        <StateSteps language={language} />
      )}
      <details className="folded" id="answers" hidden>
        <summary>{words.copy.title}</summary>
        <p className="fine">{words.copy.note}</p>
        <dl />
        <button className="button button--quiet button--fit" type="button" id="print">
          {words.copy.print}
        </button>
      </details>
      {!qualified && partnerUrl && (
        <div className="partner" id="partner" hidden>
          <p>{words.partnerNote}</p>
          <a
            className="button button--quiet"
            href={partnerUrl}
            target="_blank"
            rel="noopener noreferrer"
          >
            {words.partner}
          </a>
        </div>
      )}
      {!qualified && (
        <p className="thanks-call">
          {words.call} <a href={phoneHref}>{phoneDisplay}</a>
        </p>
      )}
      <p className="take-back of-choice">
        {words.takeBack}{' '}
        <a href={inLanguage('/do-not-sell-my-information/', language)}>{words.takeBackLink}</a>.
      </p>
    </div>
  );
}

/** Returns a contact card (vCard 3.0) as a data URL. `number` is international: `+15550100199`. */
function contactCard(name: string, number: string): string {
  const escaped = escapeText(name);
  return textFile('text/vcard', [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escaped}`,
    `N:;${escaped};;;`,
    `ORG:${escaped}`,
    `TEL;TYPE=WORK,VOICE:${number}`,
    'END:VCARD',
  ]);
}

/** Returns the usual deadline to sue under a US state's present law. */
function deadlineIn(code: string, language: Language): string {
  const { deadline, deadlineOfOne, since } = texts[language].thankYou;
  const state = stateName(language, code);
  const years = limitYears(code, 'present') ?? 0;
  const sentence = fill(years === 1 ? deadlineOfOne : deadline, { state, years });
  const from = limitationTable.find((row) => row.code === code)?.present?.since;
  if (!from) return sentence;
  return `${sentence} ${fill(since, { day: dayText(formatIso(from), language) })}`;
}

type StepsProps = { readonly language: Language; readonly code?: string; readonly id?: string };

/** The two next steps: know the deadline, and ask a bar association. Default: in any US state. */
function NextSteps({ language, code, id }: StepsProps) {
  const words = texts[language].thankYou;
  const associations: Readonly<Record<string, string>> = barAssociations;
  const state = code && stateName(language, code);
  return (
    <ol className="numbered" id={id}>
      <li>
        <p>{code ? deadlineIn(code, language) : words.findDeadline}</p>
      </li>
      <li>
        <a
          className="button"
          href={associations[code ?? 'directory']}
          target="_blank"
          rel="noopener noreferrer"
        >
          {state ? fill(words.askBar, { state }) : words.askDirectory}
        </a>
      </li>
    </ol>
  );
}

/** The two next steps in every US state. The visitor's US state comes first (fill-thanks.ts). */
function StateSteps({ language }: { readonly language: Language }) {
  const words = texts[language].thankYou;
  return (
    <section>
      <h2 id="state-title">{words.stateTitle}</h2>
      <div id="your-state">
        <NextSteps language={language} />
      </div>
      <p className="fine">{words.deadlineNote}</p>
      <details className="folded">
        <summary>{words.otherStates}</summary>
        {Object.entries(stateNames(language)).map(([code, state]) => (
          <details
            name="state"
            data-state={code}
            data-title={fill(words.ownStateTitle, { state })}
            key={code}
          >
            <summary>{state}</summary>
            <NextSteps language={language} code={code} id={stateFragment(code)} />
          </details>
        ))}
      </details>
    </section>
  );
}
