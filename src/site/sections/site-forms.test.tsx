import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { contactWords } from '../../../content/forms/contact.ts';
import { emptyPlaces } from '../../contract/form-marks.ts';
import { settings } from '../../survey/test-support/survey-fixture.ts';
import type { PageId } from '../site-map.ts';
import { ContactPage } from './contact-page.tsx';
import { CallBar } from './site-footer.tsx';

const shared = { language: 'es', settings, places: emptyPlaces } as const;

/** Renders the Spanish contact page, before or after its form was sent. */
const contactPage = (isSent: boolean) =>
  renderToStaticMarkup(
    <ContactPage
      {...shared}
      page="contact"
      words={contactWords.es}
      consent={{ version: '2026-11-21', language: 'es', text: 'Acepto.' }}
      isSent={isSent}
      optOutNote={undefined}
    />,
  );

test('the contact form shows examples of an e-mail address and a number beside their labels', () => {
  const html = contactPage(false);
  const labelOf = (name: string) =>
    new RegExp(`<label for="${name}">(.*?)</label>`).exec(html)?.[1]?.replace(/<[^>]+>/g, '');
  expect(labelOf('phoneNumber')).toBe('Número de teléfono 10 dígitos');
  expect(labelOf('email')).toBe('Correo electrónico como nombre@ejemplo.com');
  expect(labelOf('firstName')).toBe('Nombre');
});

test('the call bar leads to the contact page, and is not on pages with a form of their own', () => {
  const bar = (page: PageId) => renderToStaticMarkup(<CallBar {...shared} page={page} />);
  expect(bar('about-us')).toContain('href="/es/contact/"');
  expect(bar('contact') + bar('do-not-sell')).toBe('');
});
