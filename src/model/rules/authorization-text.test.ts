import { describe, expect, it, test } from 'vitest';
import { waAuthorization } from '../../../content/consent/wa-authorizations.ts';
import { languages } from '../fields/language.ts';
import { authorizationText, firmsToAuthorize } from './authorization-text.ts';

const firms = ['Smith & Sons LLP, 1200 Third Ave, Seattle', 'Rivera Law, rivera.example'];
const parties = { company: 'Claim Guide', email: 'help@claims.example', firms };
const signed = { year: 2026, month: 11, day: 28 };

/** The elements of RCW 19.373.070(2), with the words that fulfil them. */
const elements = {
  '(a) the specific data': {
    en: /What: I let Claim Guide sell my answers about my injuries and treatment, .+ contact details/,
    es: /Qué: Permito que Claim Guide venda mis respuestas sobre mis lesiones y mi tratamiento/,
  },
  '(b) the seller': {
    en: /Seller: Claim Guide, help@claims\.example\./,
    es: /Vendedor: Claim Guide, help@claims\.example\./,
  },
  '(c) the purchasers': {
    en: /Buyer: Smith & Sons LLP, 1200 Third Ave, Seattle; Rivera Law, rivera\.example\./,
    es: /Comprador: Smith & Sons LLP, 1200 Third Ave, Seattle; Rivera Law, rivera\.example\./,
  },
  '(d) the purpose, how the data is gathered and used': {
    en: /in this survey\. The buyer pays for them, and uses them to call me and to decide/,
    es: /en este cuestionario\. El comprador paga por ellas, y las usa para llamarme y para decidir/,
  },
  '(e) no goods or services depend on it': {
    en: /do not have to sign\. No goods or services may depend on my signature/,
    es: /No tengo que firmar\. Ningún producto ni servicio puede depender de mi firma/,
  },
  '(f) the right to revoke it, and how': {
    en: /may revoke this at any time\. I write to help@claims\.example, or fill in “Do not sell/,
    es: /Puedo revocar esto en cualquier momento\. Escribo a help@claims\.example, o lleno “No vender/,
  },
  '(g) redisclosure': {
    en: /may pass my answers on\. Washington’s law on health data \(RCW 19\.373\.070\) may then no longer protect them/,
    es: /puede compartir mis respuestas\. Es posible que la ley de Washington sobre datos de salud \(RCW 19\.373\.070\) ya no las proteja/,
  },
  '(h) the expiration after one year': {
    en: /It expires on November 28, 2027, one year later/,
    es: /Vence el 28 de noviembre de 2027, un año después/,
  },
  '(i) signature and date': {
    en: /By pressing “Yes, I sign” I sign this on November 28, 2026/,
    es: /Al presionar “Sí, firmo” firmo esto el 28 de noviembre de 2026/,
  },
};

describe.each(languages)('the authorization in %s', (language) => {
  const text = authorizationText(waAuthorization, language, parties, signed);

  test.each(Object.entries(elements))('contains %s', (_, words) => {
    expect(text).toMatch(words[language]);
  });

  it('names the button that signs, and has no open placeholder', () => {
    expect(text).toContain(`“${waAuthorization.words[language].yes}”`);
    expect(text).not.toMatch(/[{}]/);
  });
});

it('an authorization of February 29 expires on February 28', () => {
  const leapDay = { year: 2028, month: 2, day: 29 };
  const text = authorizationText(waAuthorization, 'en', parties, leapDay);
  expect(text).toMatch(/on February 29, 2028\. It expires on February 28, 2029/);
});

describe('firmsToAuthorize', () => {
  const shown = {
    '1_to_1_consent': 'yes',
    displayed_buyers: 'Rivera Law|Other Firm|Smith',
    displayed_buyer_ids: '1|2|3',
  };

  test.each([
    ['a zip code in Washington', { zip_code: '98101' }, firms],
    ['a zip code in the east of Washington', { zip_code: '99401' }, firms],
    ['a zip code in Alaska', { zip_code: '99501' }, []],
    ['a zip code in Oregon', { zip_code: '97201' }, []],
    ['an unknown zip code and the state Washington', { zip_code: '00000', state: 'WA' }, firms],
    [
      'a zip code in Washington and another chosen state',
      { zip_code: '98101', state: 'OR' },
      firms,
    ],
    ['a survey with firms, and none chosen', { zip_code: '98101', ...shown }, []],
    [
      'chosen firms, with contact details where known',
      { zip_code: '98101', ...shown, selected_buyers: '1,3' },
      ['Rivera Law, rivera.example', 'Smith'],
    ],
  ])('returns the firms for %s', (_, answers, named) => {
    expect(firmsToAuthorize(answers, firms)).toEqual(named);
    expect(firmsToAuthorize(answers, undefined)).toEqual([]);
  });
});
