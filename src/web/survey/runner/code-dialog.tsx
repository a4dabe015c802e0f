import { type FormEvent, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { formatPhoneMask } from '../../../model/fields/phone-format.ts';
import {
  type PhoneCodeAnswer,
  type PhoneCodeBody,
  phoneCodePath,
  SMS_CODE_CHARACTERS,
  SMS_RESEND_COOLDOWN_MS,
} from '../../../model/messages/phone-code.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import { askServer } from '../queue/requests.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import type { CodeTexts } from '../texts/texts.ts';

type CodeDialogProps = {
  readonly phone: string;
  readonly texts: CodeTexts;
  /** Time of the last request for a code, in ms. If undefined, the dialog requests a code. */
  readonly sentAt?: number | undefined;
  /** Asks the server to check `code`. If `code` is empty, the server sends a new code. */
  readonly ask: (code: string, sent: boolean) => Promise<PhoneCodeAnswer>;
  /** Ends the dialog: `on` sends the lead, `back` and `change` return to the form. */
  readonly onEnd: (way: 'on' | 'back' | 'change') => void;
};

type ErrorName = keyof CodeTexts['errors'];
type NoteName = keyof CodeTexts['notes'];
type Busy = 'sending' | 'checking' | undefined;

const sendErrors: Partial<Record<PhoneCodeAnswer['status'], ErrorName>> = {
  too_many: 'tooManyCodes',
  refused: 'refused',
};
const checkErrors: Partial<Record<PhoneCodeAnswer['status'], ErrorName>> = {
  pending: 'wrong',
  expired: 'expired',
  too_many: 'tooManyTries',
  refused: 'refused',
};

/** The modal dialog of phone verification (docs/specification.md#sms-verification). */
function CodeDialog({ phone, texts, sentAt, ask, onEnd }: CodeDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [error, setError] = useState<ErrorName>();
  const [note, setNote] = useState<NoteName>();
  const [busy, setBusy] = useState<Busy>(sentAt === undefined ? 'sending' : undefined);
  const [isSent, setIsSent] = useState(sentAt !== undefined);
  const [resendAt, setResendAt] = useState(sentAt && sentAt + SMS_RESEND_COOLDOWN_MS);
  const secondsLeft = useSecondsUntil(resendAt, () => setNote('resendReady'));

  async function send(): Promise<void> {
    setBusy('sending');
    // Clears the wrong code, so that the dialog does not submit it again.
    if (error === 'wrong') setCode('');
    setError(undefined);
    const { status, sent } = await ask('', isSent);
    if (status === 'approved' || status === 'unavailable') return onEnd('on');
    setBusy(undefined);
    setError(sendErrors[status]);
    setResendAt(Date.now() + SMS_RESEND_COOLDOWN_MS);
    setIsSent((before) => before || sent);
    setNote(sent ? 'sent' : undefined);
    input.current?.focus();
    // The visitor may have typed a code from an earlier message while the request ran.
    const typed = input.current?.value ?? '';
    if (sent && typed.length === SMS_CODE_CHARACTERS) void check(typed);
  }

  async function check(whole: string): Promise<void> {
    setBusy('checking');
    setError(undefined);
    setNote('checking');
    const { status } = await ask(whole, isSent);
    if (status === 'approved' || status === 'unavailable') return onEnd('on');
    setBusy(undefined);
    setNote(undefined);
    setError(checkErrors[status]);
    if (status === 'expired') setResendAt(undefined);
    if (status === 'expired' || status === 'too_many') setCode('');
    input.current?.select();
  }

  function type(text: string): void {
    const digits = text.replace(/\D/g, '').slice(0, SMS_CODE_CHARACTERS);
    setCode(digits);
    if (digits === code) return;
    setError(undefined);
    if (digits.length === SMS_CODE_CHARACTERS && busy === undefined) void check(digits);
  }

  function confirm(event: FormEvent): void {
    event.preventDefault();
    if (busy !== undefined || error === 'wrong') return;
    if (code.length === SMS_CODE_CHARACTERS) return void check(code);
    setError('tooShort');
    input.current?.focus();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per dialog
  useLayoutEffect(() => {
    dialog.current?.showModal();
    input.current?.focus();
    if (sentAt === undefined) void send();
  }, []);

  const about = isSent ? texts.about : busy ? texts.sending : '{phone}';
  const [before, after] = about.split('{phone}');
  return (
    <dialog
      ref={dialog}
      className="code"
      aria-labelledby="code-title"
      aria-describedby="code-about"
      onClose={() => onEnd('back')}
    >
      <form className="code-box" noValidate onSubmit={confirm}>
        <h2 id="code-title">{texts.title}</h2>
        <p className="help" id="code-about">
          {before}
          <span className="code-phone">{phone}</span>
          {after}
        </p>
        <div className={error ? 'field field--error' : 'field'}>
          <label htmlFor="code">{texts.label}</label>
          <input
            ref={input}
            className="code-input"
            id="code"
            name="code"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            readOnly={busy === 'checking'}
            aria-invalid={error !== undefined}
            aria-describedby={error ? 'code-error' : undefined}
            onChange={(event) => type(event.target.value)}
          />
          {/* Always rendered, because screen readers announce only changes of existing regions. */}
          <div className="code-said">
            <p className="error" id="code-error" role="alert">
              {error && texts.errors[error]}
            </p>
            <p className="hint" role="status">
              {note && !error && texts.notes[note]}
            </p>
          </div>
        </div>
        <button type="submit" className="button" aria-busy={busy === 'checking'}>
          {texts.confirm}
        </button>
        <div className="code-ways">
          <span>
            <button
              type="button"
              className="link"
              disabled={secondsLeft > 0 || busy !== undefined}
              onClick={() => void send()}
            >
              {texts.resend}
            </button>
            {secondsLeft > 0 && (
              <span className="hint" aria-hidden="true">
                {texts.resendIn.replace('{seconds}', `${secondsLeft}`)}
              </span>
            )}
          </span>
          <button type="button" className="link" onClick={() => onEnd('change')}>
            {texts.change}
          </button>
          <button type="button" className="link" onClick={() => onEnd('on')}>
            {texts.skip}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Counts down the seconds until a time (ms since 1970), and calls `onZero` at 0. */
function useSecondsUntil(until: number | undefined, onZero: () => void): number {
  const [, countDown] = useReducer((ticks: number) => ticks + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing renders the dialog again, which must not stop the clock
  useEffect(() => {
    if (until === undefined) return undefined;
    const timer = setInterval(() => {
      countDown();
      if (Date.now() < until) return;
      clearInterval(timer);
      onZero();
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return Math.max(0, Math.ceil(((until ?? 0) - Date.now()) / 1000));
}

/** Longest wait for our server, which itself waits up to 5 s for the SMS service. */
const ANSWER_WAIT_MS = 8_000;

/** Lifetime of a code. Afterwards the dialog requests a new code. */
const CODE_LIFE_MS = 10 * 60_000;

/** True while a dialog is open. A second press of the button then opens no second dialog. */
let isOpen = false;

/** Maps a phone number to the time, in ms, when this page last requested a code for it. */
const sentAt = new Map<string, number>();

/**
 * Opens a dialog in which the visitor verifies a phone number by a code. Calls `goOn` when the lead
 * may be sent.
 */
export function showCodeDialog(
  phone: string,
  { survey, texts }: Pick<SurveyPageData, 'survey' | 'texts'>,
  { session, secret }: Pick<Visit, 'session' | 'secret'>,
  goOn: () => void,
): void {
  if (isOpen) return;
  isOpen = true;
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  const close = () => end('back');
  let isOver = false;
  const end = (way: 'on' | 'back' | 'change') => {
    // A late answer must neither close the next dialog nor send the lead with the former phone number.
    if (isOver) return;
    isOver = true;
    isOpen = false;
    window.removeEventListener('popstate', close);
    host.querySelector('dialog')?.close();
    root.unmount();
    host.remove();
    if (way === 'on') goOn();
    if (way !== 'change') return;
    const input = document.querySelector<HTMLInputElement>('[data-step] [name="phone"]');
    input?.focus();
    input?.select();
  };
  window.addEventListener('popstate', close);
  const lastAt = sentAt.get(phone);
  root.render(
    <CodeDialog
      phone={formatPhoneMask(phone).replace(' ', '\u00a0')}
      texts={texts.code as CodeTexts}
      sentAt={lastAt !== undefined && lastAt > Date.now() - CODE_LIFE_MS ? lastAt : undefined}
      ask={async (code, sent) => {
        const { lead_id } = session;
        const twilio = { phone: `+1${phone}`, sent_status: sent, code };
        const body: PhoneCodeBody = { lead_id, survey: survey.path, twilio };
        // Without an answer, the lead is sent unverified (docs/specification.md#errors).
        const answer = await askServer<PhoneCodeAnswer>(phoneCodePath, body, {
          secret,
          waitMs: ANSWER_WAIT_MS,
        }).catch((): PhoneCodeAnswer => ({ status: 'unavailable', sent: false }));
        if (code === '' && answer.sent) sentAt.set(phone, Date.now());
        if (answer.status === 'expired') sentAt.delete(phone);
        return answer;
      }}
      onEnd={end}
    />,
  );
}
