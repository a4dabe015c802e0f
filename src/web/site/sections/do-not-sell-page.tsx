import type { DoNotSellWords } from '../../../../content/forms/do-not-sell.ts';
import type { FormPlaces } from '../../../model/messages/form-marks.ts';
import { fill } from '../../survey/texts/shared.ts';
import { stateNames } from '../../survey/texts/state-names.ts';
import { pathOf } from '../site-map.ts';
import { Field, FormError, Sent } from './form-parts.tsx';
import { CallText, PageHead, type PageProps, PlainList } from './page-parts.tsx';

type Props = PageProps & {
  readonly words: DoNotSellWords;
  /** True if the browser sends the opt-out signal. */
  readonly hasSignal: boolean;
  readonly places: FormPlaces;
};

/** The do-not-sell page (docs/specification.md#do-not-sell). */
export function DoNotSellPage(props: Props) {
  const { language, settings, words, hasSignal, places } = props;
  const { contactEmail: email, withholdsAtOptOut } = settings;
  const isWithheld = withholdsAtOptOut.survey && withholdsAtOptOut.contact;
  const signalOn = isWithheld ? words.signalWithheld : words.signalOn;
  return (
    <>
      <PageHead language={language} page="do-not-sell" title={words.title} lead={words.lead} />
      <div className="container columns form-page">
        <div className="fields">
          <p className="notice">{hasSignal ? signalOn : words.signalOff}</p>
          <section className="card" id="form">
            <Done {...props} outcome="honoured" />
            <Done {...props} outcome="waiting" />
            <RequestForm {...props} />
          </section>
        </div>
        <aside className={`ways${places.classIf('done', 'is-beside')}`}>
          <h2>{words.meansTitle}</h2>
          <PlainList lines={words.means} />
          <h2>{words.otherTitle}</h2>
          <p>
            <CallText text={fill(words.other, { email })} phone={settings} />
          </p>
        </aside>
      </div>
    </>
  );
}

function RequestForm({ language, settings, words, places }: Props) {
  const form = { words, places };
  return (
    <form
      className={`fields request-form${places.classIf('done', 'is-done')}`}
      method="post"
      action={`${pathOf('do-not-sell', language)}#form`}
      noValidate
    >
      <h2 className="title">{words.formTitle}</h2>
      <p className="hint">{words.formHint}</p>
      <FormError place="refused" places={places}>
        {words.wrong}
      </FormError>
      <FormError place="unsaved" places={places}>
        <CallText text={words.unsaved} phone={settings} />
      </FormError>
      <Field {...form} name="email" input={{ type: 'email', autoComplete: 'email' }} />
      <Field {...form} name="phone" input={{ type: 'tel', autoComplete: 'tel-national' }} />
      <Field {...form} name="name" hint={words.optional} input={{ autoComplete: 'name' }} />
      <Field
        {...form}
        name="state"
        hint={words.optional}
        options={{ '': words.noState, ...stateNames(language) }}
      />
      <button type="submit" className="button">
        {words.submit}
      </button>
    </form>
  );
}

/** The text that replaces the form after a request with this outcome. */
function Done({ words, places, outcome }: Props & { outcome: 'honoured' | 'waiting' }) {
  const isHonoured = outcome === 'honoured';
  const given = places.text('given');
  const lines = isHonoured ? words.done : words.waiting;
  return (
    <div className={`fields sent reply${places.classIf(outcome, 'is-shown')}`} role="status">
      <Sent title={isHonoured ? words.doneTitle : words.waitingTitle}>
        <p>
          {fill(words.doneAt, { date: places.text('at'), reference: places.text('reference') })}
        </p>
        <PlainList lines={lines.map((line) => fill(line, { given }))} />
      </Sent>
    </div>
  );
}
