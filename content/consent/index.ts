import type { Language } from '../../src/model/fields/language.ts';
import {
  type ConsentKind,
  flowTexts,
  type PublishedConsent,
} from '../../src/model/lead/consent.ts';
import type { ConsentText } from '../../src/model/messages/site-settings.ts';
import { consent20261120 } from './2026-11-20.ts';
import { consent20261121 } from './2026-11-21.ts';
import { consent20261128 } from './2026-11-28.ts';
import type { ConsentFile, OneToOneConsentFile } from './consent-file.ts';
import { oneToOneConsent20261120 } from './one-to-one-2026-11-20.ts';
import { oneToOneConsent20261121 } from './one-to-one-2026-11-21.ts';
import { oneToOneConsent20261122 } from './one-to-one-2026-11-22.ts';
import { oneToOneConsent20261128 } from './one-to-one-2026-11-28.ts';

type Wording = Readonly<Partial<Record<Language, string>>>;

/** All consent texts that pages ever displayed, the current one last. */
export const consentFiles: readonly [ConsentFile, ...ConsentFile[]] = [
  consent20261120,
  consent20261121,
  consent20261128,
];

/** The links in the consent texts, in the order of the texts. */
export const consentLinks: Readonly<Record<Language, NonNullable<ConsentText['links']>>> = {
  en: [
    ['law firms on its list', '/sponsors/'],
    ['do-not-sell form', '/do-not-sell-my-information/'],
    ['privacy policy', '/privacy-policy/'],
    ['terms of use', '/terms-of-use/'],
  ],
  es: [
    ['bufetes de su lista', '/es/sponsors/'],
    ['formulario de no vender', '/es/do-not-sell-my-information/'],
    ['política de privacidad', '/es/privacy-policy/'],
    ['términos de uso', '/es/terms-of-use/'],
  ],
};

/** Returns the current consent text of a flow, or of the contact form (`contact`). */
export function currentConsent(
  language: Language,
  companyName: string,
  flow?: string,
): ConsentText {
  const file = consentFiles.at(-1) ?? consentFiles[0];
  const own = flowTexts.find((kind) => kind === flow);
  const wording = (own && file[own]) ?? file.text;
  return shown(file.version, language, filled(wording[language], companyName));
}

function shown(version: string, language: Language, text: string): ConsentText {
  return { version, language, text, links: consentLinks[language] };
}

/** All one-to-one consent texts that pages ever displayed, the current ones last. */
export const oneToOneConsentFiles: readonly [OneToOneConsentFile, ...OneToOneConsentFile[]] = [
  oneToOneConsent20261120,
  oneToOneConsent20261121,
  oneToOneConsent20261122,
  oneToOneConsent20261128,
];

/** Returns the current consent texts of a one-to-one survey. */
export function oneToOneConsents(
  language: Language,
  companyName: string,
): Record<'PhoneAndBuyersConsent' | 'oneBuyer' | 'PhoneAbbreviatedTCPA', ConsentText> {
  const file = oneToOneConsentFiles.at(-1) ?? oneToOneConsentFiles[0];
  const of = (kind: 'buyers' | 'abbreviated', wording = file[kind]) =>
    shown(oneToOneVersion(file, kind), language, filled(wording[language], companyName));
  return {
    PhoneAndBuyersConsent: of('buyers'),
    oneBuyer: of('buyers', file.oneBuyer),
    PhoneAbbreviatedTCPA: of('abbreviated'),
  };
}

/**
 * Returns the statement that is posted instead of the displayed text
 * (docs/specification.md#one-to-one-consent).
 */
export function oneToOneStatement(
  shown: 'buyers' | 'abbreviated',
  language: Language,
  companyName: string,
): string {
  const file = oneToOneConsentFiles.at(-1) ?? oneToOneConsentFiles[0];
  return filled(file.statement[shown][language], companyName);
}

/** Returns all consent texts that pages ever displayed. */
export function publishedConsents(companyNames: readonly string[]): readonly PublishedConsent[] {
  const published = <File extends { readonly version: string }>(
    files: readonly File[],
    textsOf: (file: File) => readonly (readonly [ConsentKind, string, Wording?])[],
  ) =>
    files.flatMap((file, index) =>
      textsOf(file).flatMap(([kind, version, wording = {}]) =>
        (Object.entries(wording) as [Language, string][]).flatMap(([language, text]) =>
          companyNames.map((name) => ({
            version,
            kind,
            // If a file has no ticket text, the ticket flow displayed the general text. So did the contact form.
            alsoFor: kind === 'general' ? flowTexts.filter((each) => !(each in file)) : undefined,
            language,
            text: filled(text, name),
            published: file.version,
            replaced: files[index + 1]?.version,
          })),
        ),
      ),
    );
  return [
    ...published(consentFiles, (file) => [
      ['general', file.version, file.text],
      ...flowTexts.map((kind) => [kind, file.version, file[kind]] as const),
    ]),
    ...published(oneToOneConsentFiles, (file) => [
      ['buyers', oneToOneVersion(file, 'buyers'), file.buyers],
      ['abbreviated', oneToOneVersion(file, 'abbreviated'), file.abbreviated],
      ['buyers', oneToOneVersion(file, 'buyers'), file.oneBuyer],
    ]),
  ];
}

function oneToOneVersion(file: OneToOneConsentFile, kind: 'buyers' | 'abbreviated'): string {
  return `${file.version} ${kind}`;
}

function filled(wording: string, companyName: string): string {
  return wording.replaceAll('{company}', () => companyName);
}
