import type { Language } from '../../src/model/fields/language.ts';
import type { ConsentFile } from './consent-file.ts';

/** The end of each text: what the callers may do, that nothing depends on it, and how to stop. */
export const permission: Readonly<Record<Language, (matter: string) => string>> = {
  en: (matter) =>
    `at the phone number I gave, with marketing about legal services for my ${matter}. They may use automatic dialing and prerecorded or artificial voices, even if my number is on a do-not-call list. My consent is not a condition of any service or purchase. Message and data rates may apply; message frequency varies. To stop, I reply STOP, call the number on this page or use the do-not-sell form. See the privacy policy and the terms of use.`,
  es: (matter) =>
    `al teléfono que di, con publicidad de servicios legales por mi ${matter}. Pueden usar marcación automática y voces pregrabadas o artificiales, aunque mi número esté en una lista de no llamar. Aceptar no es condición de ningún servicio ni compra. Puede haber cargos por mensajes y datos; la frecuencia varía. Para parar, respondo STOP, llamo al número de esta página o uso el formulario de no vender. Vea la política de privacidad y los términos de uso.`,
};

const upToFive: Readonly<Record<Language, (matter: string, button: string) => string>> = {
  en: (matter, button) =>
    `{company} and up to five law firms may call and text me about my ${matter}.\nBy pressing “${button}” I sign and agree that {company} and up to five law firms on its list may call and text me ${permission.en(matter)}`,
  es: (matter, button) =>
    `{company} y hasta cinco bufetes pueden llamarme y escribirme.\nAl presionar «${button}» firmo y acepto que {company} y hasta cinco bufetes de su lista me llamen y me envíen mensajes de texto ${permission.es(matter)}`,
};

/**
 * Names the button and up to five law firms, and says that calls and texts are marketing. Adds a text for the contact
 * form. Never edit this file: a changed wording needs a new file with its own date.
 */
export const consent20261128: ConsentFile = {
  version: '2026-11-28',
  text: {
    en: upToFive.en('accident', 'Get my free case review'),
    es: upToFive.es('accidente', 'Pedir mi revisión gratis'),
  },
  ticket: {
    en: upToFive.en('traffic ticket', 'Get my free ticket review'),
    es: upToFive.es('multa de tránsito', 'Pedir mi revisión gratis'),
  },
  contact: {
    en: upToFive.en('accident', 'Send message'),
    es: upToFive.es('accidente', 'Enviar mensaje'),
  },
};
