/** The texts for visitors whose browser sends the opt-out signal (Sec-GPC). */
import type { Language } from '../src/model/fields/language.ts';

export type OptOutWords = {
  /** The note beside the button, if law firms still receive the lead. */
  readonly delivered: string;
  /** The note beside the button, if law firms do not receive the lead. */
  readonly withheld: string;
  /** The thank-you page's title without a promise of a call. */
  readonly withheldTitle: string;
  readonly withheldLead: string;
  readonly withheldSteps: readonly string[];
  /** The privacy policy's text about leads whose browser sent the signal. */
  readonly policyDelivered: string;
  readonly policyWithheld: string;
};

export const optOutWords: Readonly<Record<Language, OptOutWords>> = {
  en: {
    delivered:
      'Your browser asks us not to sell or share your data (Global Privacy Control). So this page loads no trackers, and no advertiser or data partner gets your answers. If you press the button, they go only to the firms you ask here to call you, and to services that work for us.',
    withheld:
      'Your browser asks us not to sell or share your data (Global Privacy Control). So this page loads no trackers, and we pass your answers to no law firm. To talk to us, call {phone}.',
    withheldTitle: 'Thank you. We have your answers.',
    withheldLead:
      'Your browser asks us not to sell or share your data, so we have not passed your answers to a law firm, and none will call you because of them.',
    withheldSteps: [
      'Want a law firm to look at what you told us? Call {phone}.',
      'Or turn the signal (Global Privacy Control) off for this site and send your answers again.',
    ],
    policyDelivered:
      'If you ask law firms to call you, by the button under the consent, they still get what you send, because you direct us to give it to them.',
    policyWithheld: 'Nor does a law firm get what you send with it.',
  },
  es: {
    delivered:
      'Su navegador nos pide no vender ni compartir sus datos (Global Privacy Control). Por eso esta página no carga rastreadores, y ningún anunciante ni empresa de datos recibe sus respuestas. Si presiona el botón, van solo a los bufetes a los que usted les pide aquí que le llamen, y a servicios que trabajan para nosotros.',
    withheld:
      'Su navegador nos pide no vender ni compartir sus datos (Global Privacy Control). Por eso esta página no carga rastreadores, y no pasamos sus respuestas a ningún bufete. Para hablar con nosotros, llame al {phone}.',
    withheldTitle: 'Gracias. Tenemos sus respuestas.',
    withheldLead:
      'Su navegador nos pide no vender ni compartir sus datos. Por eso no hemos pasado sus respuestas a ningún bufete, y ninguno le llamará por ellas.',
    withheldSteps: [
      '¿Quiere que un bufete vea lo que nos contó? Llame al {phone}.',
      'O apague la señal (Global Privacy Control) para este sitio y envíe sus respuestas otra vez.',
    ],
    policyDelivered:
      'Si pide que los bufetes le llamen, con el botón debajo del consentimiento, ellos sí reciben lo que envía, porque usted nos indica que se lo demos.',
    policyWithheld: 'Tampoco un bufete recibe lo que envíe con ella.',
  },
};
