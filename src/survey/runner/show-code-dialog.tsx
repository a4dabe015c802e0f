import { createRoot } from 'react-dom/client';
import {
  type PhoneCodeAnswer,
  type PhoneCodeBody,
  phoneCodePath,
} from '../../contract/phone-code.ts';
import type { Visit } from '../../journey/visit.ts';
import { endAfter, jsonHeaders } from '../queue/request-headers.ts';
import { CodeDialog } from '../screens/code-dialog.tsx';
import type { SurveyPageData } from '../screens/screen-props.ts';
import type { CodeTexts } from '../texts/texts.ts';

/**
 * Has a visitor verify their number (ten digits) by a code, in a dialog over the form.
 *
 * @param goOn called when the lead may be sent, verified or not; not called if the visitor returns to the form
 */
export type ShowCodeDialog = (
  phone: string,
  data: Pick<SurveyPageData, 'survey' | 'texts'>,
  visit: Pick<Visit, 'session' | 'secret'>,
  goOn: () => void,
) => void;

/** The longest wait for an answer: longer than the 5 s that our server gives the service. */
const ANSWER_WAIT_MS = 8_000;

/**
 * Requests a code from our server (empty `code`), or tries one. Never rejects: any failure is `unavailable`, with
 * which the lead is sent (docs/specification.md#errors).
 */
export async function askForCode(
  request: {
    readonly phone: string;
    readonly survey: string;
    readonly visit: Pick<Visit, 'session' | 'secret'>;
    readonly sent: boolean;
    readonly code: string;
  },
  doFetch: typeof fetch = (...args) => fetch(...args),
): Promise<PhoneCodeAnswer> {
  const { phone, survey, visit, sent, code } = request;
  const body: PhoneCodeBody = {
    lead_id: visit.session.lead_id,
    survey,
    twilio: { phone: `+1${phone}`, sent_status: sent, code },
  };
  try {
    const response = await doFetch(phoneCodePath, {
      method: 'POST',
      headers: jsonHeaders(visit.secret),
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
 * Shows the code dialog over the form. Closing it returns the focus to the button, or to the phone field to change
 * the number. The browser's back button closes it, too.
 */
export const showCodeDialog: ShowCodeDialog = (phone, { survey, texts }, visit, goOn) => {
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
        const answer = await askForCode({ phone, survey: survey.path, visit, sent, code });
        if (code === '' && answer.sent) sentAt.set(phone, Date.now());
        if (answer.status === 'expired') sentAt.delete(phone);
        return answer;
      }}
      onEnd={end}
    />,
  );
};
