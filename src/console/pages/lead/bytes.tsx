import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AttemptBytes } from '../../../contract/console/leads.ts';
import { type ApiError, apiPost, useMay } from '../../api.ts';
import { Button, Switch } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { CopyButton } from './copy-button.tsx';
import type { Opening } from './opened.ts';

type BytesProps = {
  readonly path: string;
  readonly opening: Opening;
  readonly deliveryId: string;
  readonly attempt: number;
};

/** Shows what one attempt sent and what was answered, side by side. The lead must be opened first. */
export function Bytes({ path, opening, deliveryId, attempt }: BytesProps) {
  const mayOpen = useMay('operator');
  const { reason } = opening;
  const bytes = useMutation<AttemptBytes, ApiError>({
    mutationFn: () => apiPost(`${path}/bytes`, { deliveryId, attempt, reason }),
    gcTime: 0,
  });
  if (!mayOpen) return null;
  if (opening.answer === undefined) {
    return (
      <p className="quiet">
        Open the contact details to see what was sent and answered, byte for byte.
      </p>
    );
  }
  if (bytes.data === undefined) {
    return (
      <div className="bytes-ask">
        <Button icon="eye" onPress={() => bytes.mutate()} isPending={bytes.isPending}>
          Show request and answer
        </Button>
        {bytes.error && (
          <p className="dialog-error" role="alert">
            {bytes.error.detail}
          </p>
        )}
      </div>
    );
  }
  return <RequestAndAnswer bytes={bytes.data} />;
}

/** Shows the bytes of an attempt, with the proof that they are those that were sent. */
export function RequestAndAnswer({ bytes }: { readonly bytes: AttemptBytes }) {
  const [isFormatted, setIsFormatted] = useState(true);
  const { sent, answer, status, proof, isProven, sha256 } = bytes;
  const statusText = status === null ? '' : `, HTTP ${status}`;
  return (
    <div className="bytes">
      <div className="bytes-head">
        <p className="proof" data-proven={isProven}>
          <Icon name={isProven ? 'check' : 'alert'} />
          <span>
            {isProven ? 'Proven: ' : 'Not proven: '}
            {proof}.{isProven && ' Our key is shown as dots.'}
          </span>
        </p>
        <Switch label="Formatted" isSelected={isFormatted} onChange={setIsFormatted} />
      </div>
      <div className="bytes-pair">
        <Side
          name="request"
          title="Request"
          text={sent}
          isFormatted={isFormatted}
          none="It cannot be built again."
        />
        <Side
          name="answer"
          title={`Answer${statusText}`}
          text={answer}
          isFormatted={isFormatted}
          none="No answer was kept."
        />
      </div>
      {sha256 !== null && (
        <p className="bytes-hash">
          SHA-256 <code>{sha256}</code>
        </p>
      )}
    </div>
  );
}

type SideProps = {
  readonly name: string;
  readonly title: string;
  readonly text: string | null;
  readonly isFormatted: boolean;
  /** Said if there is no text. */
  readonly none: string;
};

function Side({ name, title, text, isFormatted, none }: SideProps) {
  return (
    <section className="bytes-side">
      <header>
        <h4>{title}</h4>
        {text !== null && <CopyButton text={text} label={`Copy the ${name}`} />}
      </header>
      {text === null ? (
        <p className="quiet">{none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keys
        <pre tabIndex={0}>{isFormatted ? formatted(text) : text}</pre>
      )}
    </section>
  );
}

/** Returns JSON and forms with one value per line; any other text as it is. */
export function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return /^[\w.%+-]+=[^&\s]*(&|$)/.test(text) ? formLines(text) : text;
  }
}

function formLines(text: string): string {
  return [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}`).join('\n');
}
