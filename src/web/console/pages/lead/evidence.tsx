import type {
  AttemptBytes,
  TimelineChange,
  TimelineConsent,
  TimelineDetail,
  TimelineEntry,
  TimelineRule,
} from '../../../../model/messages/console/leads.ts';
import { useAction, useMay } from '../../api.ts';
import { Button } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Code } from '../../parts/values.tsx';
import type { Opening } from './opened.ts';

type ValueProps = { readonly text: string; readonly isMasked?: boolean | undefined };

/** Shows an untrusted value as plain text. */
export function Value({ text, isMasked = false }: ValueProps) {
  if (isMasked) {
    return (
      <span className="quiet">
        <span aria-hidden="true">{text}</span>
        <span className="visually-hidden">masked</span>
      </span>
    );
  }
  return <bdi className="value">{text === '' ? <span className="quiet">empty</span> : text}</bdi>;
}

type EvidenceProps = {
  readonly entry: TimelineEntry;
  readonly path: string;
  readonly opening: Opening;
};

/** Shows the details of a timeline entry. */
export function Evidence({ entry, path, opening }: EvidenceProps) {
  const { consent, rules = [], changes = [], details, deliveryId, attempt } = entry;
  // Rules that held or rejected the lead stay visible. All other rules are folded.
  const decisive = rules.filter(({ tone }) => tone === 'bad' || tone === 'warning');
  const others = rules.filter((each) => !decisive.includes(each));
  return (
    <>
      {consent && <Consent consent={consent} />}
      {changes.length > 0 && (
        <DataTable
          dense
          label="Changed fields"
          columns={changeColumns}
          rows={changes}
          rowKey={(change) => JSON.stringify(change)}
        />
      )}
      {decisive.length > 0 && <Rules rules={decisive} />}
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} rules{' '}
            {decisive.length === 0 ? 'with their inputs' : 'that reject nothing'}
          </summary>
          <Rules rules={others} />
        </details>
      )}
      {details.length > 0 && <Details details={details} />}
      {deliveryId !== undefined && (
        <Bytes path={path} opening={opening} deliveryId={deliveryId} attempt={attempt} />
      )}
    </>
  );
}

function Consent({ consent }: { readonly consent: TimelineConsent }) {
  const { text, textState, language, version } = consent;
  const [first = '', ...rest] = (text ?? '').split('\n');
  const about = [`language ${language}`, ...(version === '' ? [] : [`version ${version}`])];
  return (
    <figure>
      {textState === 'shown' ? (
        <blockquote className="stack" lang={/^[a-z]{2}$/.test(language) ? language : undefined}>
          <p>
            <strong>{first}</strong>
          </p>
          {rest.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </blockquote>
      ) : (
        <p className="quiet">
          {textState === 'erased'
            ? 'The text was erased. Its hash proves what it was.'
            : 'The text is not one that we published, so it is masked until the lead is opened.'}
        </p>
      )}
      <figcaption className="quiet fine">As shown, {about.join(', ')}</figcaption>
    </figure>
  );
}

function Details({ details }: { readonly details: readonly TimelineDetail[] }) {
  return (
    <dl className="facts">
      {details.map(({ label, value, isMasked }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: details may repeat a label and its value
        <div key={index}>
          <dt>
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <Value text={value} isMasked={isMasked} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const changeColumns: readonly Column<TimelineChange>[] = [
  { header: 'Field', cell: ({ field }) => <bdi className="mono">{field}</bdi> },
  {
    header: 'Before',
    cell: ({ before, isMasked }) => <Value text={before} isMasked={isMasked && before !== ''} />,
  },
  {
    header: 'After',
    cell: ({ after, isMasked }) => <Value text={after} isMasked={isMasked && after !== ''} />,
  },
  { header: 'By', fold: 'wrap', cell: ({ by }) => by },
];

const ruleColumns: readonly Column<TimelineRule>[] = [
  { header: 'Rule', cell: ({ name }) => <Code>{name}</Code> },
  {
    header: 'Result',
    cell: ({ tone, result }) => (
      <bdi className="tone" data-tone={tone}>
        {result}
      </bdi>
    ),
  },
  {
    header: 'Inputs',
    fold: 'wrap',
    cell: ({ inputs }) =>
      inputs
        .filter(({ value }) => value !== '')
        .map(({ label, value, isMasked }) => (
          <span key={label}>
            <bdi className="quiet">{label}</bdi> <Value text={value} isMasked={isMasked} />{' '}
          </span>
        )),
  },
];

function Rules({ rules }: { readonly rules: readonly TimelineRule[] }) {
  return (
    <DataTable dense label="Rules" columns={ruleColumns} rows={rules} rowKey={({ name }) => name} />
  );
}

type BytesProps = {
  readonly path: string;
  readonly opening: Opening;
  readonly deliveryId: string;
  /** Undefined: what would be sent now. */
  readonly attempt: number | undefined;
};

export function Bytes({ path, opening: { answer, reason }, deliveryId, attempt }: BytesProps) {
  const mayOpen = useMay('operator');
  const bytes = useAction<object, AttemptBytes>(`${path}/bytes`);
  if (!mayOpen) return null;
  if (answer === undefined) {
    return <p className="quiet">Open the contact details to see the exact request and answer.</p>;
  }
  if (bytes.data) return <RequestAndAnswer bytes={bytes.data} />;
  return (
    <div>
      <Button
        icon="eye"
        onPress={() => bytes.mutate({ deliveryId, attempt, reason })}
        isPending={bytes.isPending}
      >
        {attempt === undefined ? 'Show what would be sent' : 'Show request and answer'}
      </Button>
      <Problem of={bytes.error} />
    </div>
  );
}

/** Shows the request and the answer of a delivery attempt. */
export function RequestAndAnswer({ bytes }: { readonly bytes: AttemptBytes }) {
  const { sent, answer, status, proof, isProven, isPreview, sha256 } = bytes;
  const statusText = status === null ? '' : `, HTTP ${status}`;
  return (
    <div className="stack">
      <p className="tone row" data-tone={isProven ? 'good' : 'warning'}>
        <Icon name={isProven ? 'check' : 'alert'} />
        <span>
          {isPreview ? 'Not sent yet: ' : isProven ? 'Proven: ' : 'Not proven: '}
          {proof}.{isProven && ' Our key is shown as dots.'}
        </span>
      </p>
      <BytesOf title="Request" text={sent} none="There is none." />
      {!isPreview && (
        <BytesOf title={`Answer${statusText}`} text={answer} none="No answer is stored." />
      )}
      {sha256 !== null && (
        <p className="quiet fine">
          SHA-256 <code>{sha256}</code>
        </p>
      )}
    </div>
  );
}

type BytesOfProps = {
  readonly title: string;
  readonly text: string | null;
  readonly none: string;
};

function BytesOf({ title, text, none }: BytesOfProps) {
  return (
    <section>
      <h4>{title}</h4>
      {text === null ? (
        <p className="quiet">{none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        <pre className="bytes" tabIndex={0}>
          {formatted(text)}
        </pre>
      )}
    </section>
  );
}

/** Formats JSON or a URL-encoded form with each value on a separate line. */
export function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    if (!/^[\w.%+-]+=[^&\s]*(&|$)/.test(text)) return text;
    return [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}`).join('\n');
  }
}
