import type { Language } from '../../src/model/fields/language.ts';
import type { ConsentFile } from './consent-file.ts';

/** The end of the first line, which says what the calls are. */
export const kindOfCall: Readonly<Record<Language, string>> = {
  en: 'It is marketing, and may be automated or prerecorded.',
  es: 'Es publicidad, quizá pregrabada.',
};

/** The signature, what the callers may do, that nothing depends on it, and how to stop. */
export const signature: Readonly<Record<Language, (pressing: string) => string>> = {
  en: (pressing) =>
    `By pressing ${pressing} I sign and agree that they may call and text me at the phone number I gave, with marketing of legal services, also with automatic dialing and prerecorded or artificial voices, even if my number is on a do-not-call list. My consent is not a condition of any service or purchase: I can call the number on this page instead. Message and data rates may apply; message frequency varies. To stop, I reply STOP, call that number or use the do-not-sell form. See the privacy policy and the terms of use.`,
  es: (pressing) =>
    `Al presionar ${pressing} firmo y acepto que llamen y envíen mensajes de texto al teléfono que di, con publicidad de servicios legales, marcación automática y voces pregrabadas o artificiales, aunque mi número esté en una lista de no llamar. Esto no es condición de un servicio o compra: puedo llamar al número de esta página. Puede haber cargos por mensajes y datos; la frecuencia varía. Para parar, respondo STOP, llamo allí o uso el formulario de no vender. Vea la política de privacidad y términos de uso.`,
};

const upToFive: Readonly<Record<Language, (matter: string, button: string) => string>> = {
  en: (matter, button) =>
    `{company} and up to five law firms on its list may call and text me about my ${matter}. ${kindOfCall.en}\n${signature.en(`“${button}”`)}`,
  es: (matter, button) =>
    `{company} y hasta cinco bufetes de su lista pueden llamarme y mandarme mensajes por mi ${matter}. ${kindOfCall.es}\n${signature.es(`«${button}»`)}`,
};

/**
 * Names the button and up to five law firms, and says that calls and texts are marketing. Adds a text for the contact
 * form. Never edit this file: a changed wording needs a new file with its own date.
 */
export const consent20261128: ConsentFile = {
  version: '2026-11-28',
  text: {
    en: upToFive.en('accident', 'Get my free case review'),
    es: upToFive.es('accidente', 'Revisar mi caso gratis'),
  },
  ticket: {
    en: upToFive.en('traffic ticket', 'Get my free ticket review'),
    es: upToFive.es('multa de tránsito', 'Revisar mi caso gratis'),
  },
  contact: {
    en: upToFive.en('accident', 'Send message'),
    es: upToFive.es('accidente', 'Enviar mensaje'),
  },
};
