import type { OneToOneConsentFile } from './consent-file.ts';

/** Never edit this file: a changed wording needs a new file with its own date. */
export const oneToOneConsent20261120: OneToOneConsentFile = {
  version: '2026-11-20',
  buyers: {
    en: 'By pressing the button I give my signature and agree that {company} and each law firm that I have ticked above may call and text me at the phone number I gave here about my accident claim, also with an automatic dialing system and with an artificial or prerecorded voice, even if my number is on a do-not-call list. A law firm that I have not ticked may not contact me on the strength of this. My agreement is not a condition of buying anything, and I can take it back at any time, for example by replying STOP. Message and data rates may apply. I have read the privacy policy and the terms of use.',
    es: 'Al presionar el botón doy mi firma y acepto que {company} y cada bufete de abogados que marqué arriba me llamen y me envíen mensajes de texto al número de teléfono que di aquí acerca de mi reclamo por accidente, también con un sistema de marcación automática y con voz artificial o pregrabada, aunque mi número esté en una lista de no llamar. Un bufete que no marqué no puede contactarme con base en esto. Mi aceptación no es condición para comprar nada y puedo retirarla en cualquier momento, por ejemplo respondiendo STOP. Pueden aplicarse tarifas de mensajes y datos. He leído la política de privacidad y los términos de uso.',
  },
  abbreviated: {
    en: 'By pressing the button I agree that {company} may call and text me at this number about my accident claim, also with automated technology. This is not a condition of buying anything. Reply STOP at any time to end it.',
    es: 'Al presionar el botón acepto que {company} me llame y me envíe mensajes de texto a este número acerca de mi reclamo por accidente, también con tecnología automatizada. No es condición para comprar nada. Responda STOP en cualquier momento para terminar.',
  },
  statement: {
    buyers: {
      en: 'The consumer gave prior express written consent to be called and texted, by name of each seller, by {company} and by the buyers listed as selected with this lead. The text that the consumer saw is kept with the lead.',
      es: 'El consumidor dio su consentimiento previo, expreso y por escrito, con el nombre de cada vendedor, para recibir llamadas y mensajes de texto de {company} y de los compradores que figuran como elegidos en este registro. El texto que vio el consumidor se guarda con el registro.',
    },
    abbreviated: {
      en: 'The consumer agreed to be called and texted by {company}. No buyer was named to the consumer and none was chosen: there is no one-to-one consent. The text that the consumer saw is kept with the lead.',
      es: 'El consumidor aceptó recibir llamadas y mensajes de texto de {company}. No se le nombró a ningún comprador ni eligió a ninguno: no hay consentimiento uno a uno. El texto que vio el consumidor se guarda con el registro.',
    },
  },
};
