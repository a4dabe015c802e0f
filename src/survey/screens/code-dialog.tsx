import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { PhoneCodeAnswer } from '../../contract/phone-code.ts';
import { SMS_CODE_CHARACTERS, SMS_RESEND_COOLDOWN_MS } from '../../domain/phone-code.ts';
import type { CodeTexts } from '../texts/texts.ts';

export type CodeDialogProps = {
  /** As it is shown: `(212) 555-0123`. */
  readonly phone: string;
  readonly texts: CodeTexts;
  /** When a code was sent before the modal was opened, ms since 1970; else it sends one. */
  readonly sentAt?: number | undefined;
  /**
   * Asks for a code, or tries one. Never rejects.
   * @param code empty: a code is wanted
   * @param sent whether one is on its way
   */
  readonly ask: (code: string, sent: boolean) => Promise<PhoneCodeAnswer>;
  /** `on`: send the lead; `back`: back to the form; `change`: back to the number. Called once or more. */
  readonly onEnd: (way: 'on' | 'back' | 'change') => void;
};

type ErrorName = keyof CodeTexts['errors'];
type NoteName = keyof CodeTexts['notes'];
type Busy = 'sending' | 'resending' | 'checking' | undefined;

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
const verdicts: ReadonlySet<ErrorName> = new Set(Object.values(checkErrors));

/**
 * The modal of phone verification (docs/specification.md#sms-verification). The browser itself keeps the
 * focus in it and makes what is behind it inert. A code is tried as soon as it is whole, typed, pasted or
 * filled in by the phone; whatever fails, the visitor can go on.
 *
 * The countdown is for eyes only: who listens is told once, when a new code may be asked for.
 */
export function CodeDialog({ phone, texts, sentAt, ask, onEnd }: CodeDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [error, setError] = useState<ErrorName>();
  const [note, setNote] = useState<NoteName>();
  const [busy, setBusy] = useState<Busy>(sentAt === undefined ? 'sending' : undefined);
  const [isSent, setIsSent] = useState(sentAt !== undefined);
  /** Whether the code's tries are used up: only a new code can be tried. */
  const [isSpent, setIsSpent] = useState(false);
  const [resendAt, setResendAt] = useState(sentAt && sentAt + SMS_RESEND_COOLDOWN_MS);
  const secondsLeft = useSecondsUntil(resendAt, () => setNote('resendReady'));

  async function send(again: boolean): Promise<void> {
    setBusy(again ? 'resending' : 'sending');
    // The wrong code is not tried again when the new one is out.
    if (error === 'wrong') setCode('');
    setError(undefined);
    const { status, sent } = await ask('', isSent);
    if (status === 'approved' || status === 'unavailable') return onEnd('on');
    setBusy(undefined);
    setError(isSpent && status === 'too_many' ? 'noMore' : sendErrors[status]);
    if (sent) setIsSpent(false);
    setResendAt(Date.now() + SMS_RESEND_COOLDOWN_MS);
    setIsSent((before) => before || sent);
    setNote(sent ? (again ? 'resent' : 'sent') : undefined);
    input.current?.focus();
    // An earlier code may have been typed meanwhile.
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
    if (status === 'too_many') setIsSpent(true);
    if (status === 'expired' || status === 'too_many') setCode('');
    // What was typed is there to compare, and goes with the next key.
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
    // A verdict stands until another code is typed: a tap that comes with it changes nothing.
    if (busy !== undefined || (error && verdicts.has(error))) return;
    if (code.length === SMS_CODE_CHARACTERS) return void check(code);
    setError('tooShort');
    input.current?.focus();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once a modal
  useLayoutEffect(() => {
    dialog.current?.showModal();
    if (sentAt === undefined) void send(false);
  }, []);

  const isRefused = error === 'refused';
  const canType = !isRefused && !isSpent;
  // Without a field for a code, what helps is the button.
  const main = canType ? 'confirm' : isRefused ? 'change' : error === 'noMore' ? 'skip' : 'resend';
  useLayoutEffect(() => {
    if (!canType) dialog.current?.querySelector<HTMLElement>('button:enabled')?.focus();
    else input.current?.focus();
  }, [canType]);
  const looks = (name: typeof main) => (name === main ? 'button' : 'link');

  // Where nothing could be sent, nothing says that it is being sent: only which number it is about.
  const about = isSent ? texts.about : busy === 'sending' || !error ? texts.sending : '{phone}';
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
          {about.replace('{phone}', phone)}
        </p>
        <div className={error ? 'field field--error' : 'field'}>
          {canType && (
            <>
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
            </>
          )}
          {/* Always there: only a region that is there already is read out when it changes. */}
          <div className="code-said">
            <p className="error" id="code-error" role="alert">
              {error && texts.errors[error]}
            </p>
            <p className="hint" role="status">
              {note && !error && texts.notes[note]}
            </p>
          </div>
        </div>
        {canType && (
          <button type="submit" className="button" aria-busy={busy === 'checking'}>
            {texts.confirm}
          </button>
        )}
        <div className="code-ways">
          {main !== 'change' && main !== 'skip' && (
            <span>
              <button
                type="button"
                className={looks('resend')}
                disabled={secondsLeft > 0 || busy !== undefined}
                onClick={() => void send(true)}
              >
                {texts.resend}
              </button>
              {secondsLeft > 0 && (
                <span className="hint" aria-hidden="true">
                  {texts.resendIn.replace('{seconds}', `${secondsLeft}`)}
                </span>
              )}
            </span>
          )}
          <button type="button" className={looks('change')} onClick={() => onEnd('change')}>
            {texts.change}
          </button>
          <button type="button" className={looks('skip')} onClick={() => onEnd('on')}>
            {texts.skip}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Whole seconds until a time, ms since 1970, counted down; 0 when it is past. `onZero` is called then. */
function useSecondsUntil(until: number | undefined, onZero: () => void): number {
  const [now, setNow] = useState(Date.now);
  const zero = useRef(onZero);
  zero.current = onZero;
  useEffect(() => {
    if (until === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() < until) return;
      clearInterval(timer);
      zero.current();
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? 0 : Math.max(0, Math.ceil((until - now) / 1000));
}
