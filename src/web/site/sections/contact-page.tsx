import type { ContactWords } from '../../../../content/forms/contact.ts';
import { type ContactField, contactLengths } from '../../../model/fields/contact-form.ts';
import type { FormPlaces } from '../../../model/messages/form-marks.ts';
import type { ConsentText } from '../../../model/messages/site-settings.ts';
import { PhoneIcon } from '../../survey/page/survey-page.tsx';
import { fill } from '../../survey/texts/shared.ts';
import { pathOf } from '../site-map.ts';
import { siteTexts } from '../site-texts.ts';
import { controlAttributes, Field, FormError, Sent } from './form-parts.tsx';
import { CallText, PageHead, type PageProps, PlainList } from './page-parts.tsx';

type Props = PageProps & {
  readonly words: ContactWords;
  readonly consent: ConsentText;
  /** The HTML of the list of law firms that may call. */
  readonly firms: string;
  /** The values and errors of a form posted without JavaScript. */
  readonly places: FormPlaces;
  /** True after the server accepted a form without JavaScript. */
  readonly isSent: boolean;
  readonly optOutNote: string | undefined;
};

/** The contact page (docs/specification.md#contact-page). */
export function ContactPage(props: Props) {
  const { language, settings, words, isSent } = props;
  return (
    <>
      <PageHead language={language} page="contact" title={words.title} lead={words.lead} />
      <div className="container columns form-page">
        <section className="card" id="form" aria-label={words.formTitle}>
          <ContactForm {...props} />
          <div className="fields sent" hidden={!isSent}>
            <Sent title={words.sentTitle}>
              <p className="lead">{words.sentText}</p>
              <PlainList lines={words.sentNext} phone={settings} />
            </Sent>
          </div>
        </section>
        <aside className="ways" aria-label={words.ways}>
          <h2>{words.callTitle}</h2>
          <p>
            <a className="button button--quiet" href={settings.phoneHref}>
              <PhoneIcon /> {settings.phoneDisplay}
            </a>
          </p>
          {settings.callHours[language] && <p>{settings.callHours[language]}</p>}
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

function ContactForm(props: Props) {
  const { language, settings, words, consent, firms, places, isSent, optOutNote } = props;
  const { pageNames } = siteTexts[language];
  const { text, classIf } = places;
  const form = { words, places, hidesError: true, isRequired: true };
  return (
    <form
      className={`fields contact-form${classIf('refused', 'is-refused')}`}
      method="post"
      action={`${pathOf('contact', language)}#form`}
      noValidate
      hidden={isSent}
      lang={language}
    >
      <h2 className="title">{words.formTitle}</h2>
      <p className="hint">{words.allNeeded}</p>
      <FormError place="unsaved" places={places}>
        <CallText text={words.unsaved} phone={settings} />
      </FormError>
      <Field {...form} name="typeOfAccident" options={{ '': words.choose, ...words.accidents }} />
      <div className="field-row">
        <Input {...props} name="firstName" autoComplete="given-name" />
        <Input {...props} name="lastName" autoComplete="family-name" />
      </div>
      <div className="field-row">
        <Input {...props} name="email" type="email" autoComplete="email" />
        <Input {...props} name="phoneNumber" type="tel" autoComplete="tel-national" />
      </div>
      <Field {...form} name="message">
        <textarea
          {...controlAttributes('message', places, true)}
          rows={3}
          defaultValue={text('message')}
        />
        <p className="error" role="status" id="message-over" data-over={words.messageOver} />
      </Field>
      <input type="hidden" name="lead_id" value={text('lead_id')} />
      <input type="hidden" name="lead_secret" value={text('lead_secret')} />
      <input type="hidden" name="asked" value={text('asked')} />
      <input type="hidden" name="consent_version" value={consent.version} />
      <div className="form-consent">
        <p>
          <strong>{words.next}</strong>
        </p>
        <p id="consent">{consent.text}</p>
        {firms && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, escaped (page-data.ts)
          <details dangerouslySetInnerHTML={{ __html: firms }} />
        )}
        <ul className="row">
          {(['sponsors', 'do-not-sell', 'privacy-policy', 'terms-of-use'] as const).map((page) => (
            <li key={page}>
              <a href={pathOf(page, language)} target="_blank" rel="noopener">
                {pageNames[page]}
              </a>
            </li>
          ))}
        </ul>
        {optOutNote && <p className="notice">{optOutNote}</p>}
      </div>
      <button type="submit" className="button" aria-describedby="consent">
        {words.submit}
      </button>
    </form>
  );
}

type InputProps = Pick<Props, 'words' | 'places'> & {
  readonly name: Exclude<ContactField, 'typeOfAccident' | 'message'>;
  readonly autoComplete?: string;
  readonly type?: string;
};

function Input({ name, words, places, type = 'text', autoComplete }: InputProps) {
  // A pasted number may have more separators than the mask.
  const maxLength = name === 'phoneNumber' ? 24 : contactLengths[name];
  return (
    <Field
      name={name}
      words={words}
      places={places}
      hint={words.hints[name]}
      input={{ type, autoComplete, maxLength }}
      hidesError
      isRequired
    >
      {name !== 'phoneNumber' && <Doubt name={name} words={words} places={places} />}
    </Field>
  );
}

/** A question about a probable typing error. */
function Doubt({ name, words, places }: InputProps) {
  const asks = words.doubts[name === 'email' ? 'email' : 'name'];
  const isShown = places.classIf(`${name}:doubt`, 'is-shown');
  return (
    <div
      className="error"
      role="status"
      id={`${name}-doubt`}
      // The script replaces % with the suggested e-mail address.
      data-doubt={fill(asks, { email: '%' })}
      data-correct={name === 'email' ? words.correct : undefined}
    >
      {isShown && (
        <span className={`reply${isShown}`}>
          {fill(asks, { email: places.text('email:meant') })}
        </span>
      )}
    </div>
  );
}
