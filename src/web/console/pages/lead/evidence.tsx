import type { ReactNode } from 'react';
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
import { Problem } from '../../parts/page.tsx';
import { Facts } from '../../parts/values.tsx';
import type { Opening } from './opened.ts';

type ValueProps = { readonly text: string; readonly isMasked?: boolean | undefined };

/** Shows an untrusted value as plain text. */
export function Value({ text, isMasked = false }: ValueProps) {
  if (isMasked && text !== '') {
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
  const isDecisive = ({ tone }: TimelineRule) => tone === 'bad' || tone === 'warning';
  const sorted = rules.toSorted(
    (one, other) => Number(isDecisive(other)) - Number(isDecisive(one)),
  );
  return (
    <>
      {consent && <Consent {...consent} />}
      <Facts of={grouped(changes, ({ field }) => field, changeText)} />
      <Facts of={grouped(sorted, ({ name }) => name, ruleText)} />
      <Facts of={grouped(details, ({ label }) => label, detailText)} />
      {deliveryId !== undefined && (
        <Bytes path={path} opening={opening} deliveryId={deliveryId} attempt={attempt} />
      )}
    </>
  );
}

/** Groups rows by name, because two rows may have the same name. */
function grouped<Row>(
  rows: readonly Row[],
  name: (row: Row) => string,
  text: (row: Row) => ReactNode,
): Readonly<Record<string, ReactNode>> {
  const groups = Object.entries(Object.groupBy(rows, name));
  const shown = (same: readonly Row[] = []) =>
    same.map((row) => <p key={JSON.stringify(row)}>{text(row)}</p>);
  return Object.fromEntries(groups.map(([label, same]) => [label, shown(same)]));
}

function changeText({ before, after, by, isMasked }: TimelineChange) {
  return (
    <>
      <Value text={before} isMasked={isMasked} /> → <Value text={after} isMasked={isMasked} />{' '}
      <bdi className="quiet">{by}</bdi>
    </>
  );
}

function ruleText({ tone, result, inputs }: TimelineRule) {
  return (
    <>
      <bdi className="tone" data-tone={tone}>
        {result}
      </bdi>
      {inputs.map(({ label, value, isMasked }) => (
        <span key={label} className="quiet">
          {', '}
          <bdi>{label}</bdi> <Value text={value} isMasked={isMasked} />
        </span>
      ))}
    </>
  );
}

function detailText({ value, isMasked }: TimelineDetail) {
  return <Value text={value} isMasked={isMasked} />;
}

const withoutText = {
  erased: 'The text was erased. Its hash proves what it was.',
  masked: 'The text is not one that we published, so it is masked until the lead is opened.',
};

function Consent({ text, textState, language, version }: TimelineConsent) {
  const about = ['As shown', `language ${language}`, version && `version ${version}`];
  return (
    <figure>
      {textState === 'shown' ? (
        <blockquote className="stack" lang={language}>
          {text?.split('\n').map((line) => (
            <p key={line}>{line}</p>
          ))}
        </blockquote>
      ) : (
        <p className="quiet">{withoutText[textState]}</p>
      )}
      <figcaption className="quiet fine">{about.filter(Boolean).join(', ')}</figcaption>
    </figure>
  );
}

type BytesProps = {
  readonly path: string;
  readonly opening: Opening;
  readonly deliveryId: string;
  /** Undefined: what would be sent now. */
  readonly attempt: number | undefined;
};

function Bytes({ path, opening: { answer, reason }, deliveryId, attempt }: BytesProps) {
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
  const texts = {
    Request: sent ?? 'There is none.',
    ...(!isPreview && {
      [status === null ? 'Answer' : `Answer, HTTP ${status}`]: answer ?? 'No answer is stored.',
    }),
  };
  return (
    <div className="stack">
      <p className="tone" data-tone={isProven ? 'good' : 'warning'}>
        {isPreview ? 'Not sent yet: ' : isProven ? 'Proven: ' : 'Not proven: '}
        {proof}.{isProven && ' Our key is shown as dots.'}
      </p>
      {Object.entries(texts).map(([title, text]) => (
        <section key={title}>
          <h4>{title}</h4>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
          <pre className="bytes" tabIndex={0}>
            {formatted(text)}
          </pre>
        </section>
      ))}
      {sha256 !== null && (
        <p className="quiet fine">
          SHA-256 <code>{sha256}</code>
        </p>
      )}
    </div>
  );
}

/** Formats JSON or a URL-encoded form with each value on a separate line. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    if (!/^[\w.%+-]+=[^&\s]*(&|$)/.test(text)) return text;
    return [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}`).join('\n');
  }
}
