import type { OneToOneConsentFile } from './consent-file.ts';
import { oneToOneConsent20261121 } from './one-to-one-2026-11-21.ts';

/**
 * Names the law firms. Never edited in place: a change of wording is a new file with its own date.
 */
export const oneToOneConsent20261122: OneToOneConsentFile = {
  ...oneToOneConsent20261121,
  version: '2026-11-22',
  buyers: {
    en: 'These law firms may call and text me about my accident claim, each only if ticked above: {firms}.\nBy pressing the button I give my signature and agree that {company} and each of these law firms that is ticked above may call and text me at the phone number I gave here about my accident claim, also with an automatic dialing system and with an artificial or prerecorded voice, even if my number is on a do-not-call list. A law firm that is not ticked may not contact me on the strength of this. My agreement is not a condition of buying anything, and I can take it back at any time, for example by replying STOP. Message and data rates may apply. I have read the privacy policy and the terms of use.',
    es: 'Estos bufetes pueden llamarme y escribirme acerca de mi reclamo por accidente, cada uno solo si está marcado arriba: {firms}.\nAl presionar el botón doy mi firma y acepto que {company} y cada uno de estos bufetes que esté marcado arriba me llamen y me envíen mensajes de texto al número de teléfono que di aquí acerca de mi reclamo por accidente, también con un sistema de marcación automática y con voz artificial o pregrabada, aunque mi número esté en una lista de no llamar. Un bufete que no esté marcado no puede contactarme con base en esto. Mi aceptación no es condición para comprar nada y puedo retirarla en cualquier momento, por ejemplo respondiendo STOP. Pueden aplicarse tarifas de mensajes y datos. He leído la política de privacidad y los términos de uso.',
  },
  oneBuyer: {
    en: '{firms} may call and text me about my accident claim if I chose Yes above.\nBy pressing the button I give my signature and agree that {company} and, if I chose Yes above, {firms} may call and text me at the phone number I gave here about my accident claim, also with an automatic dialing system and with an artificial or prerecorded voice, even if my number is on a do-not-call list. Unless I chose Yes, {firms} may not contact me on the strength of this. My agreement is not a condition of buying anything, and I can take it back at any time, for example by replying STOP. Message and data rates may apply. I have read the privacy policy and the terms of use.',
    es: '{firms} puede llamarme y escribirme acerca de mi reclamo por accidente si elegí Sí arriba.\nAl presionar el botón doy mi firma y acepto que {company} y, si elegí Sí arriba, {firms} me llamen y me envíen mensajes de texto al número de teléfono que di aquí acerca de mi reclamo por accidente, también con un sistema de marcación automática y con voz artificial o pregrabada, aunque mi número esté en una lista de no llamar. Si no elegí Sí, {firms} no puede contactarme con base en esto. Mi aceptación no es condición para comprar nada y puedo retirarla en cualquier momento, por ejemplo respondiendo STOP. Pueden aplicarse tarifas de mensajes y datos. He leído la política de privacidad y los términos de uso.',
  },
};
