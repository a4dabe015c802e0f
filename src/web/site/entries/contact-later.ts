import {
  type ContactField,
  contactFields,
  contactSurvey,
} from '../../../model/fields/contact-form.ts';
import { isDoubtful, suggestEmail } from '../../../model/fields/typos.ts';
import type { PostLeadBody } from '../../../model/messages/lead.ts';
import { siteClickCookie } from '../../../model/messages/site-click.ts';

/** Asks once about each probably mistyped value, and returns the fields that got a question. */
export function askOnce(form: HTMLFormElement): readonly ContactField[] {
  return contactFields.filter((name) => {
    const input = form.elements.namedItem(name) as HTMLInputElement;
    const place = document.getElementById(`${name}-doubt`);
    const kind = name === 'email' ? 'email' : 'name';
    if (place?.textContent !== '' || !isDoubtful(kind, input.value)) return false;
    const email = suggestEmail(input.value) ?? '';
    place.textContent = place.dataset.doubt?.replace('%', () => email) ?? '';
    if (name === 'email') offerEmail(place, input, email);
    return true;
  });
}

/** Adds a button that replaces the typed e-mail address by the suggested one. */
function offerEmail(place: HTMLElement, input: HTMLInputElement, email: string): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link correction';
  button.textContent = place.dataset.correct ?? '';
  button.addEventListener('click', () => {
    input.value = email;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
  });
  place.append(button);
}

/** Returns the body of the form's post. */
export function bodyOf(form: HTMLFormElement, leadId: string, shownAt: string): PostLeadBody {
  const typed = Object.fromEntries(new FormData(form)) as Record<string, string>;
  const { lead_id: _, lead_secret: __, asked: ___, ...fields } = typed;
  return {
    landing_page: location.origin + location.pathname,
    page_referer: document.referrer.split('?')[0] ?? '',
    ...clickOfVisit(),
    ...fields,
    lead_id: leadId,
    survey: contactSurvey,
    language: form.lang as PostLeadBody['language'],
    tcpa: document.getElementById('consent')?.textContent ?? '',
    consent_version: fields.consent_version ?? '',
    consent_shown_at: shownAt,
    submitted_at: new Date().toISOString(),
  };
}

function clickOfVisit(): Readonly<Record<string, string>> {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${siteClickCookie}=`));
  // Uses URLSearchParams, because decodeURIComponent would throw for a malformed cookie.
  const stored = new URLSearchParams(pair).get(siteClickCookie) ?? '';
  return Object.fromEntries(new URLSearchParams(stored));
}
