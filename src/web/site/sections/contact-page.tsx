import type { ContactWords } from '../../../../content/forms/contact.ts';
import { type ContactField, contactLengths } from '../../../model/fields/contact-form.ts';
import type { FormPlaces } from '../../../model/messages/form-marks.ts';
import type { ConsentText } from '../../../model/messages/site-settings.ts';
import { fill } from '../../survey/texts/shared.ts';
import { pathOf } from '../site-map.ts';
import { siteTexts } from '../texts/site-texts.ts';
import {
  CallText,
  fieldAttributes,
  PageHead,
  type PageProps,
  PhoneIcon,
  PlainList,
  SentMark,
} from './page-parts.tsx';

type Props = PageProps & {
  readonly words: ContactWords;
  readonly consent: ConsentText;
  /** Values and errors of a form posted without a script. */
  readonly places: FormPlaces;
  /** Whether a form posted without a script was accepted. */
  readonly isSent: boolean;
  /** The note beside the button for browsers that send the opt-out signal. */
  readonly optOutNote: string | undefined;
};

/** The contact page (docs/specification.md#contact-page): phone number, e-mail address and the form. */
export function ContactPage(props: Props) {
  const { language, settings, words } = props;
  return (
    <>
      <PageHead language={language} page="contact" title={words.title}>
        <p className="lead">{words.lead}</p>
      </PageHead>
      <div className="container form-page">
        <section className="form-card" id="form" aria-label={words.formTitle}>
          <ContactForm {...props} />
          <Sent {...props} />
        </section>
        <aside className="ways" aria-label={words.ways}>
          <h2>{words.callTitle}</h2>
          <p>
            <a className="button button--quiet" href={settings.phoneHref}>
              <PhoneIcon /> {settings.phoneDisplay}
            </a>
          </p>
          <p className="hint">{words.callText}</p>
          <h2>{words.mailTitle}</h2>
          <p>
            <a href={`mailto:${settings.contactEmail}`}>{settings.contactEmail}</a>
          </p>
          <p className="hint">{words.mailText}</p>
        </aside>
      </div>
    </>
  );
}

/** The form. The browser posts it, or `entries/contact.ts` through the browser queue. */
function ContactForm(props: Props) {
  const { language, settings, words, consent, places, isSent, optOutNote } = props;
  const { text, whether } = places;
  return (
    <form
      className={`fields contact-form${whether('refused', 'is-refused')}`}
      method="post"
      action={`${pathOf('contact', language)}#form`}
      noValidate
      hidden={isSent}
      lang={language}
    >
      <h2 className="title">{words.formTitle}</h2>
      <p className="hint">{words.allNeeded}</p>
      <p className={`notice notice--error told${whether('unsaved', 'is-told')}`} role="alert">
        <CallText text={words.unsaved} phone={settings} />
      </p>
      <div className={fieldClass('typeOfAccident', places)}>
        <label htmlFor="typeOfAccident">{words.labels.typeOfAccident}</label>
        <select {...attributes('typeOfAccident', places)}>
          <option value="">{words.choose}</option>
          {Object.entries(words.accidents).map(([value, label]) => (
            <option key={value} value={value} data-chosen={places.chosen('typeOfAccident', value)}>
              {label}
            </option>
          ))}
        </select>
        <ErrorText name="typeOfAccident" words={words} />
      </div>
      <div className="field-row">
        <Input {...props} name="firstName" autoComplete="given-name" />
        <Input {...props} name="lastName" autoComplete="family-name" />
      </div>
      <div className="field-row">
        <Input {...props} name="email" type="email" autoComplete="email" />
        <Input {...props} name="phoneNumber" type="tel" autoComplete="tel-national" />
      </div>
      <div className={fieldClass('message', places)}>
        <label htmlFor="message">{words.labels.message}</label>
        <textarea {...attributes('message', places)} rows={3} defaultValue={text('message')} />
        <ErrorText name="message" words={words} />
        <p className="error" role="status" id="message-over" data-over={words.messageOver} />
      </div>
      <input type="hidden" name="lead_id" value={text('lead_id')} />
      <input type="hidden" name="lead_secret" value={text('lead_secret')} />
      <input type="hidden" name="asked" value={text('asked')} />
      <input type="hidden" name="consent_version" value={consent.version} />
      <div className="form-consent">
        <p>
          <strong>{words.next}</strong>
        </p>
        <p id="consent">{consent.text}</p>
        <ConsentLinks language={language} />
        {optOutNote && <p className="notice">{optOutNote}</p>}
      </div>
      <button type="submit" className="button" aria-describedby="consent">
        {words.submit}
      </button>
    </form>
  );
}

function ConsentLinks({ language }: Pick<Props, 'language'>) {
  const { pageNames } = siteTexts[language];
  const pages = ['privacy-policy', 'terms-of-use', 'sponsors'] as const;
  return (
    <ul className="consent-links">
      {pages.map((page) => (
        <li key={page}>
          <a href={pathOf(page, language)} target="_blank" rel="noopener">
            {pageNames[page]}
          </a>
        </li>
      ))}
    </ul>
  );
}

type InputProps = Props & {
  readonly name: Exclude<ContactField, 'typeOfAccident' | 'message'>;
  readonly autoComplete: string;
  readonly type?: string;
};

function Input({ name, words, places, type = 'text', autoComplete }: InputProps) {
  return (
    <div className={fieldClass(name, places)}>
      <label htmlFor={name}>
        {words.labels[name]}
        {words.hints[name] && <span className="hint"> {words.hints[name]}</span>}
      </label>
      <input
        {...attributes(name, places)}
        type={type}
        autoComplete={autoComplete}
        // A pasted number may be longer than the mask.
        maxLength={name === 'phoneNumber' ? 24 : contactLengths[name]}
        defaultValue={places.text(name)}
      />
      <ErrorText name={name} words={words} />
      {name !== 'phoneNumber' && <Doubt name={name} words={words} places={places} />}
    </div>
  );
}

/** Asks about a probable typing error: filled by the script, or rendered after a post without one. */
function Doubt({ name, words, places }: Pick<InputProps, 'name' | 'words' | 'places'>) {
  const asks = words.doubts[name === 'email' ? 'email' : 'name'];
  const isTold = places.whether(`${name}:doubt`, 'is-told');
  return (
    <div
      className="error"
      role="status"
      id={`${name}-doubt`}
      // The script replaces % with the suggested address.
      data-doubt={fill(asks, { email: '%' })}
      data-correct={name === 'email' ? words.correct : undefined}
    >
      {isTold && (
        <span className={`told${isTold}`}>{fill(asks, { email: places.text('email:meant') })}</span>
      )}
    </div>
  );
}

function fieldClass(name: ContactField, { whether }: FormPlaces): string {
  const wrong = whether(`${name}:wrong`, 'field--error');
  return `field${wrong}${whether(`${name}:doubt`, 'field--error field--doubt')}`;
}

function attributes(name: ContactField, places: FormPlaces) {
  const { id, name: named, ...state } = fieldAttributes(name, places);
  return { id, name: named, 'aria-required': true, ...state };
}

function ErrorText({ name, words }: { name: ContactField; words: ContactWords }) {
  return (
    <p className="unseen-error sr-only" id={`${name}-error`}>
      {words.errors[name]}
    </p>
  );
}

/** Replaces the form after it was sent. */
function Sent({ words, settings, isSent }: Props) {
  return (
    <div className="sent" hidden={!isSent}>
      <SentMark />
      <h2 className="title" tabIndex={-1}>
        {words.sentTitle}
      </h2>
      <p className="lead">{words.sentText}</p>
      <PlainList lines={words.sentNext} phone={settings} />
    </div>
  );
}
