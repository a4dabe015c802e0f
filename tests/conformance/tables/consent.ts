import type { Language } from '../../../src/model/fields/language.ts';

/** An element of a consent text, with the law or rule that asks for it. */
export type ConsentElement = {
  readonly name: string;
  readonly source: string;
  readonly words: Readonly<Record<Language, RegExp>>;
};

/** The elements of every consent text. */
export const consentElements: readonly ConsentElement[] = [
  {
    name: 'a first line in plain words',
    source: '47 CFR 64.1200(f)(9)(i): clear and conspicuous',
    words: { en: /^.{1,140} may call and text me/, es: /^.{1,140} llamarme y mandarme mensajes/ },
  },
  {
    name: 'the signature, by pressing the button',
    source: '47 CFR 64.1200(f)(9)(ii), Fla. Stat. 501.059(1)(g)1',
    words: {
      en: /\bBy pressing “.+”,? I sign and agree that they /,
      es: /\bAl presionar «.+»,? firmo y acepto que /,
    },
  },
  {
    name: 'the phone number',
    source: '47 CFR 64.1200(f)(9), 16 CFR 310.4(b)(1)(v)(A)(iv), Fla. Stat. 501.059(1)(g)3',
    words: { en: / at the phone number I gave, /, es: / al teléfono que di, / },
  },
  {
    name: 'calls and texts',
    source: '47 CFR 64.1200(f)(9), Fla. Stat. 501.059(1)(g)2',
    words: { en: / may call and text me at /, es: / llamen y envíen mensajes de texto / },
  },
  {
    name: 'marketing',
    source: '47 CFR 64.1200(f)(9)(i)(A)',
    words: {
      en: / It is marketing, .* with marketing of legal services, /,
      es: / Es publicidad, .* con publicidad de servicios legales, /,
    },
  },
  {
    name: 'automatic dialing and prerecorded or artificial voices',
    source: '47 CFR 64.1200(f)(9)(i)(A), 16 CFR 310.4(b)(1)(v)(A)(i), Fla. Stat. 501.059(1)(g)4',
    words: {
      en: / may be automated or prerecorded\. .* also with automatic dialing and prerecorded or artificial voices,/,
      es: / quizá pregrabada\. .* marcación automática y voces pregrabadas o artificiales,/,
    },
  },
  {
    name: 'the do-not-call list',
    source: '16 CFR 310.4(b)(1)(iii)(B)(1), 47 CFR 64.1200(c)(2)(ii)',
    words: {
      en: / even if my number is on a do-not-call list\./,
      es: / aunque mi número esté en una lista de no llamar\./,
    },
  },
  {
    name: 'no condition of a service or purchase',
    source: '47 CFR 64.1200(f)(9)(i)(B), 16 CFR 310.4(b)(1)(v)(A)(ii), Fla. Stat. 501.059(1)(g)4',
    words: {
      en: / My consent is not a condition of any service or purchase: I can call the number on this page instead\./,
      es: / Esto no es condición de un servicio o compra: puedo llamar al número de esta página\./,
    },
  },
  {
    name: 'rates and frequency',
    source: 'CTIA Messaging Principles and Best Practices, 5.1.1',
    words: {
      en: / Message and data rates may apply; message frequency varies\./,
      es: / Puede haber cargos por mensajes y datos; la frecuencia varía\./,
    },
  },
  {
    name: 'how to stop: reply, call, form',
    source: '47 CFR 64.1200(a)(10)',
    words: {
      en: / To stop, I reply STOP, call that number or use the do-not-sell form\./,
      es: / Para parar, respondo STOP, llamo allí o uso el formulario de no vender\./,
    },
  },
  {
    name: 'privacy policy and terms',
    source: 'CTIA Messaging Principles and Best Practices, 5.1.1',
    words: {
      en: / See the privacy policy and the terms of use\./,
      es: / Vea la política de privacidad y términos de uso\./,
    },
  },
];

/** Who may call, by the kind of the text. `A Law` and `B Law` are the firms that the text names. */
export const callers = {
  general: {
    en: /^Claim Guide and up to five law firms on its list may /,
    es: /^Claim Guide y hasta cinco bufetes de su lista pueden /,
  },
  buyers: {
    en: /^Claim Guide and each law firm ticked above may .*: A Law; B Law\. .* A law firm that is not ticked may not contact me/,
    es: /^Claim Guide y cada bufete marcado arriba pueden .*: A Law; B Law\. .* Un bufete que no esté marcado no puede contactarme/,
  },
  oneBuyer: {
    en: /^Claim Guide and, if I chose Yes above, A Law may .* Unless I chose Yes, A Law may not contact me/,
    es: /^Claim Guide y, si elegí Sí arriba, A Law pueden .* Si no elegí Sí, A Law no puede contactarme/,
  },
  abbreviated: { en: /^Claim Guide may /, es: /^Claim Guide puede / },
} satisfies Record<string, Record<Language, RegExp>>;
