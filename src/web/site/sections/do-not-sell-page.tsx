import type { DoNotSellWords } from '../../../../content/forms/do-not-sell.ts';
import { type OptOutField, optOutFields } from '../../../model/fields/opt-out-form.ts';
import type { FormPlaces } from '../../../model/messages/form-marks.ts';
import { fill } from '../../survey/texts/shared.ts';
import { stateNames } from '../../survey/texts/state-names.ts';
import { pathOf } from '../site-map.ts';
import {
  CallText,
  fieldAttributes,
  PageHead,
  type PageProps,
  PlainList,
  SentMark,
} from './page-parts.tsx';

type Props = PageProps & {
  readonly words: DoNotSellWords;
  /** Whether the browser sends the opt-out signal. */
  readonly hasSignal: boolean;
  /** Posted values, errors and outcome. */
  readonly places: FormPlaces;
};

/** The do-not-sell page (docs/specification.md#do-not-sell): the signal, the form, its effects. */
export function DoNotSellPage(props: Props) {
  const { language, settings, words, hasSignal, places } = props;
  const { contactEmail: email } = settings;
  return (
    <>
      <PageHead language={language} page="do-not-sell" title={words.title}>
        <p className="lead">{words.lead}</p>
      </PageHead>
      <div className="container form-page">
        <div className="form-column">
          <p className={`notice signal signal--${hasSignal ? 'on' : 'off'}`}>
            {hasSignal ? signalText(props) : words.signalOff}
          </p>
          <section className="form-card" id="form">
            <Done {...props} outcome="honoured" title={words.doneTitle} means={words.done} />
            <Done {...props} outcome="waiting" title={words.waitingTitle} means={words.waiting} />
            <RequestForm {...props} />
          </section>
        </div>
        <aside className={`ways${places.whether('done', 'is-beside')}`}>
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

/** Returns the effect of the signal under the operator's settings. */
function signalText({ words, settings: { withholdsAtOptOut } }: Props): string {
  const { survey, contact } = withholdsAtOptOut;
  return survey && contact ? words.signalWithheld : words.signalOn;
}

function RequestForm({ language, settings, words, places }: Props) {
  const { whether } = places;
  return (
    <form
      className={`fields request-form${whether('done', 'is-done')}`}
      method="post"
      action={`${pathOf('do-not-sell', language)}#form`}
      noValidate
    >
      <h2 className="title">{words.formTitle}</h2>
      <p className="hint">{words.formHint}</p>
      <p className={`notice notice--error told${whether('refused', 'is-told')}`} role="alert">
        {words.wrong}
      </p>
      <p className={`notice notice--error told${whether('unsaved', 'is-told')}`} role="alert">
        <CallText text={words.unsaved} phone={settings} />
      </p>
      {optOutFields
        .filter((name) => name !== 'state')
        .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
        .map((name) => (
          <RequestField key={name} name={name} words={words} places={places}>
            <input
              {...fieldAttributes(name, places)}
              {...inputs[name]}
              defaultValue={places.text(name)}
            />
          </RequestField>
        ))}
      <RequestField name="state" words={words} places={places}>
        <select {...fieldAttributes('state', places)}>
          <option value="">{words.noState}</option>
          {Object.entries(stateNames(language)).map(([code, name]) => (
            <option key={code} value={code} data-chosen={places.chosen('state', code)}>
              {name}
            </option>
          ))}
        </select>
      </RequestField>
      <button type="submit" className="button">
        {words.submit}
      </button>
    </form>
  );
}

/** The fields that identify a person, most reliable first. */
const order: readonly OptOutField[] = ['email', 'phone', 'name'];
const inputs: Readonly<Partial<Record<OptOutField, object>>> = {
  name: { type: 'text', autoComplete: 'name', maxLength: 254 },
  email: { type: 'email', autoComplete: 'email', maxLength: 254 },
  phone: { type: 'tel', autoComplete: 'tel-national', maxLength: 24 },
};

type FieldProps = Pick<Props, 'words' | 'places'> & {
  readonly name: OptOutField;
  readonly children: React.ReactNode;
};

function RequestField({ name, words, places, children }: FieldProps) {
  const isOptional = name === 'name' || name === 'state';
  return (
    <div className={`field${places.whether(`${name}:wrong`, 'field--error')}`}>
      <label htmlFor={name}>
        {words.labels[name]} {isOptional && <span className="hint">{words.optional}</span>}
      </label>
      {children}
      <p className={`error told${places.whether(`${name}:wrong`, 'is-told')}`} id={`${name}-error`}>
        {words.errors[name]}
      </p>
    </div>
  );
}

type DoneProps = Props & {
  readonly outcome: 'honoured' | 'waiting';
  readonly title: string;
  readonly means: readonly string[];
};

/** Replaces the form after one outcome of a request. The page contains both outcomes; one is shown. */
function Done({ words, places, outcome, title, means }: DoneProps) {
  const [date, reference, given] = [
    places.text('at'),
    places.text('reference'),
    places.text('given'),
  ];
  return (
    <div className={`sent told${places.whether(outcome, 'is-told')}`} role="status">
      <SentMark />
      <h2 className="title">{title}</h2>
      <p>{fill(words.doneAt, { date, reference })}</p>
      <PlainList lines={means.map((line) => fill(line, { given }))} />
    </div>
  );
}
