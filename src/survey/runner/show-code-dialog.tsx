import { createRoot } from 'react-dom/client';
import { CodeDialog } from '../screens/code-dialog.tsx';
import type { CodeTexts } from '../texts/texts.ts';
import { askForCode, type VerifyPhone } from './verify-phone.ts';

/** How long a code can be typed; after it the modal asks for another one. */
const CODE_LIFE_MS = 10 * 60_000;

// As `formatPhoneMask` and `fill` do: a chunk that they share would cost the pages of all surveys a quarter
// of a kilobyte.
const masked = (phone: string) => phone.replace(/(...)(...)(....)/, '($1)\u00a0$2-$3');

/** A button that is pressed twice before the modal stands over it opens one. */
let isOpen = false;

/** When a code was sent to which number by this page, ms since 1970. */
const sentAt = new Map<string, number>();

/**
 * Shows the modal over the form. Closed, it gives the focus back to the button that it was opened by; to
 * change the number, to its field. Back in the browser closes it, too.
 */
export const showCodeDialog: VerifyPhone = (phone, { survey, texts }, visit, goOn) => {
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
