import type { OneToOneConsentFile } from './consent-file.ts';
import { oneToOneConsent20261120 } from './one-to-one-2026-11-20.ts';

/**
 * Adds a first line in plain words to each text. Never edit this file: a changed wording needs a new file with its own
 * date.
 */
export const oneToOneConsent20261121: OneToOneConsentFile = {
  version: '2026-11-21',
  buyers: {
    en: 'The law firms that I ticked may call and text me about my accident claim.\nBy pressing the button I give my signature and agree that {company} and each law firm that I have ticked above may call and text me at the phone number I gave here about my accident claim, also with an automatic dialing system and with an artificial or prerecorded voice, even if my number is on a do-not-call list. A law firm that I have not ticked may not contact me on the strength of this. My agreement is not a condition of buying anything, and I can take it back at any time, for example by replying STOP. Message and data rates may apply. I have read the privacy policy and the terms of use.',
    es: 'Los bufetes que marqué pueden llamarme y escribirme acerca de mi reclamo por accidente.\nAl presionar el botón doy mi firma y acepto que {company} y cada bufete de abogados que marqué arriba me llamen y me envíen mensajes de texto al número de teléfono que di aquí acerca de mi reclamo por accidente, también con un sistema de marcación automática y con voz artificial o pregrabada, aunque mi número esté en una lista de no llamar. Un bufete que no marqué no puede contactarme con base en esto. Mi aceptación no es condición para comprar nada y puedo retirarla en cualquier momento, por ejemplo respondiendo STOP. Pueden aplicarse tarifas de mensajes y datos. He leído la política de privacidad y los términos de uso.',
  },
  abbreviated: {
    en: '{company} may call and text me about my accident claim.\nBy pressing the button I agree that {company} may do so at the number I gave here, also with automated technology. This is not a condition of buying anything. Reply STOP at any time to end it. I have read the privacy policy and the terms of use.',
    es: '{company} puede llamarme y escribirme acerca de mi reclamo por accidente.\nAl presionar el botón acepto que {company} lo haga al número que di aquí, también con tecnología automatizada. No es condición para comprar nada. Responda STOP en cualquier momento para terminar. He leído la política de privacidad y los términos de uso.',
  },
  statement: oneToOneConsent20261120.statement,
};
