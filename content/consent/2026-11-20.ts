import type { ConsentFile } from './consent-file.ts';

/** Never edit this file: a changed wording needs a new file with its own date. */
export const consent20261120: ConsentFile = {
  version: '2026-11-20',
  text: {
    en: 'By pressing the button I give my signature and agree that {company} and the law firms on its list of partners may call and text me at the phone number I gave here about my accident claim, also with an automatic dialing system and with an artificial or prerecorded voice, even if my number is on a do-not-call list. My agreement is not a condition of buying anything, and I can take it back at any time, for example by replying STOP. Message and data rates may apply. I have read the privacy policy and the terms of use.',
    es: 'Al presionar el botón doy mi firma y acepto que {company} y los bufetes de abogados de su lista de socios me llamen y me envíen mensajes de texto al número de teléfono que di aquí acerca de mi reclamo por accidente, también con un sistema de marcación automática y con voz artificial o pregrabada, aunque mi número esté en una lista de no llamar. Mi aceptación no es condición para comprar nada y puedo retirarla en cualquier momento, por ejemplo respondiendo STOP. Pueden aplicarse tarifas de mensajes y datos. He leído la política de privacidad y los términos de uso.',
  },
};
