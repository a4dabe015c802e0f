import { useState } from 'react';
import type {
  SpecificationSection,
  StoryChange,
  StoryConsent,
  StoryDetail,
  StoryEntry,
  StoryRule,
} from '../../../contract/console/leads.ts';
import { useApi } from '../../api.ts';
import { Button } from '../../parts/controls.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Answer } from '../../parts/page.tsx';
import { Code } from '../../parts/values.tsx';
import { Bytes } from './bytes.tsx';
import { CopyButton } from './copy-button.tsx';
import type { Opening } from './opened.ts';
import { Value } from './value.tsx';

type EvidenceProps = {
  readonly entry: StoryEntry;
  readonly path: string;
  readonly opening: Opening;
};

/** Shows what proves an entry: consent, rules with their inputs, changes, details, request and answer. */
export function Evidence({ entry, path, opening }: EvidenceProps) {
  const { consent, rules = [], changes = [], details, deliveryId, attempt, rule } = entry;
  return (
    <>
      {consent && <Consent consent={consent} />}
      {changes.length > 0 && <Changes changes={changes} />}
      {rules.length > 0 && <Rules rules={rules} />}
      {details.length > 0 && <Details details={details} />}
      {deliveryId !== undefined && attempt !== undefined && (
        <Bytes path={path} opening={opening} deliveryId={deliveryId} attempt={attempt} />
      )}
      {rule !== '' && (
        <p className="evidence-rule">
          <RuleLink section={rule}>What the specification says</RuleLink>
        </p>
      )}
    </>
  );
}

/** Shows a consent as the survey does: in its language, with a plain first line. */
function Consent({ consent }: { readonly consent: StoryConsent }) {
  const { text, textState, language, version } = consent;
  const [first = '', ...rest] = (text ?? '').split('\n');
  const about = [`language ${language}`, ...(version === '' ? [] : [`version ${version}`])];
  return (
    <figure className="consent">
      {textState === 'shown' ? (
        <blockquote lang={/^[a-z]{2}$/.test(language) ? language : undefined}>
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
      <figcaption>As shown, {about.join(', ')}</figcaption>
    </figure>
  );
}

function Details({ details }: { readonly details: readonly StoryDetail[] }) {
  return (
    <dl className="evidence-details">
      {details.map(({ label, value, isMasked }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two details may have the same label and value
        <div key={index}>
          <dt>
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <Value text={value} isMasked={isMasked} />
            {isHash(value) && <CopyButton text={value} label={`Copy ${label}`} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isHash(value: string): boolean {
  return /^([0-9a-f]{40,64}|[\w-]{43})$/.test(value);
}

function Changes({ changes }: { readonly changes: readonly StoryChange[] }) {
  return (
    <ul className="changes">
      {changes.map(({ field, before, after, by, isMasked }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a field may change twice
        <li key={index}>
          <bdi className="change-field">{field}</bdi>
          <span>
            <Value text={before} isMasked={isMasked && before !== ''} />
            <span aria-hidden="true"> → </span>
            <span className="visually-hidden"> becomes </span>
            <Value text={after} isMasked={isMasked && after !== ''} />
          </span>
          <span className="quiet">{by}</span>
        </li>
      ))}
    </ul>
  );
}

/** Rules that only passed are many; those that decided something stand alone. */
function Rules({ rules }: { readonly rules: readonly StoryRule[] }) {
  const decisive = rules.filter(({ tone }) => tone === 'bad' || tone === 'warning');
  const others = rules.filter((rule) => !decisive.includes(rule));
  return (
    <>
      {decisive.length > 0 && <RuleList rules={decisive} />}
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} rules{' '}
            {decisive.length === 0 ? 'with their inputs' : 'that reject nothing'}
          </summary>
          <RuleList rules={others} />
        </details>
      )}
    </>
  );
}

function RuleList({ rules }: { readonly rules: readonly StoryRule[] }) {
  return (
    <ul className="rules">
      {rules.map((rule) => (
        <li key={rule.name} data-tone={rule.tone}>
          <span className="rule-name">
            {rule.section === '' ? (
              <Code>{rule.name}</Code>
            ) : (
              <RuleLink section={rule.section}>
                <Code>{rule.name}</Code>
              </RuleLink>
            )}
          </span>
          <span className="rule-result">
            <bdi>{rule.result}</bdi>
          </span>
          <span className="rule-inputs">
            {rule.inputs
              .filter(({ value }) => value !== '')
              .map(({ label, value, isMasked }) => (
                <span key={label}>
                  <bdi>{label}</bdi> <Value text={value} isMasked={isMasked} />
                </span>
              ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

type RuleLinkProps = { readonly section: string; readonly children: React.ReactNode };

/** Opens the section of the specification that states a rule. */
function RuleLink({ section, children }: RuleLinkProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="rule-link" onClick={() => setIsOpen(true)}>
        {children}
      </button>
      {isOpen && (
        <Dialog title="Specification" isOpen onClose={() => setIsOpen(false)}>
          {(close) => <Section section={section} close={close} />}
        </Dialog>
      )}
    </>
  );
}

type SectionProps = { readonly section: string; readonly close: () => void };

function Section({ section, close }: SectionProps) {
  const query = useApi<SpecificationSection>(
    `/api/specification/${section}`,
    {},
    { staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <div className="dialog-form">
      <Answer query={query} rows={4}>
        {({ title, text }) => (
          <>
            <h3>{title}</h3>
            <p className="specification">{text}</p>
          </>
        )}
      </Answer>
      <footer className="dialog-foot">
        <Button onPress={close}>Close</Button>
      </footer>
    </div>
  );
}
