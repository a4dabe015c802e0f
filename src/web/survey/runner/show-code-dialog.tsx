import { createRoot } from 'react-dom/client';
import {
  type PhoneCodeAnswer,
  type PhoneCodeBody,
  phoneCodePath,
} from '../../../model/messages/phone-code.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import { endAfter, jsonHeaders } from '../queue/request-headers.ts';
import { CodeDialog } from '../screens/code-dialog.tsx';
import type { SurveyPageData } from '../screens/screen-props.ts';
import type { CodeTexts } from '../texts/texts.ts';

/** The longest wait for an answer: longer than the 5 s that our server gives the service. */
const ANSWER_WAIT_MS = 8_000;

/**
 * Requests a code from our server (empty `code`), or tries one. Never rejects: any failure is `unavailable`, with
 * which the lead is sent (docs/specification.md#errors).
 */
async function askForCode(
  body: PhoneCodeBody,
  secret: string | undefined,
): Promise<PhoneCodeAnswer> {
  try {
    const response = await fetch(phoneCodePath, {
      method: 'POST',
      headers: jsonHeaders(secret),
      body: JSON.stringify(body),
      signal: endAfter(ANSWER_WAIT_MS),
    });
    if (response.ok) return (await response.json()) as PhoneCodeAnswer;
  } catch {
    // Answered below.
  }
  return { status: 'unavailable', sent: false };
}

/** Lifetime of a code. After it the dialog requests another one. */
const CODE_LIFE_MS = 10 * 60_000;

// Repeats `formatPhoneMask`: sharing it would add 250 bytes to every survey's page.
const masked = (phone: string) => phone.replace(/(...)(...)(....)/, '($1)\u00a0$2-$3');

/** Guards against a second press before the dialog covers the button. */
let isOpen = false;

/** When this page last requested a code, by phone number; ms since 1970. */
const sentAt = new Map<string, number>();

/**
 * Has a visitor verify their number (ten digits) by a code, in a dialog over the form. Closing it returns the focus to
 * the button, or to the phone field to change the number. The browser's back button closes it, too.
 *
 * @param goOn called when the lead may be sent, verified or not; not called if the visitor returns to the form
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
      phone={masked(phone)}
      texts={texts.code as CodeTexts}
      sentAt={lastAt !== undefined && lastAt > Date.now() - CODE_LIFE_MS ? lastAt : undefined}
      ask={async (code, sent) => {
        const { lead_id } = session;
        const twilio = { phone: `+1${phone}`, sent_status: sent, code };
        const answer = await askForCode({ lead_id, survey: survey.path, twilio }, secret);
        if (code === '' && answer.sent) sentAt.set(phone, Date.now());
        if (answer.status === 'expired') sentAt.delete(phone);
        return answer;
      }}
      onEnd={end}
    />,
  );
}
