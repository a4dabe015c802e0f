import type { ConsentFile } from './consent-file.ts';

/**
 * Adds a first line in plain words, and a text for the ticket flow. Never edit this file: a changed wording needs a new
 * file with its own date.
 */
export const consent20261121: ConsentFile = {
  version: '2026-11-21',
  text: {
    en: 'A lawyer may call and text me about my accident claim at the number I gave here.\nBy pressing the button I give my signature and agree that {company} and the law firms on its list of partners may call and text me at that number about my accident claim, also with an automatic dialing system and with an artificial or prerecorded voice, even if my number is on a do-not-call list. My agreement is not a condition of buying anything, and I can take it back at any time, for example by replying STOP. Message and data rates may apply. I have read the privacy policy and the terms of use.',
    es: 'Un abogado puede llamarme y escribirme acerca de mi reclamo por accidente al número que di aquí.\nAl presionar el botón doy mi firma y acepto que {company} y los bufetes de abogados de su lista de socios me llamen y me envíen mensajes de texto a ese número acerca de mi reclamo por accidente, también con un sistema de marcación automática y con voz artificial o pregrabada, aunque mi número esté en una lista de no llamar. Mi aceptación no es condición para comprar nada y puedo retirarla en cualquier momento, por ejemplo respondiendo STOP. Pueden aplicarse tarifas de mensajes y datos. He leído la política de privacidad y los términos de uso.',
  },
  ticket: {
    en: 'A lawyer may call and text me about my traffic ticket at the number I gave here.\nBy pressing the button I give my signature and agree that {company} and the law firms on its list of partners may call and text me at that number about my traffic ticket, also with an automatic dialing system and with an artificial or prerecorded voice, even if my number is on a do-not-call list. My agreement is not a condition of buying anything, and I can take it back at any time, for example by replying STOP. Message and data rates may apply. I have read the privacy policy and the terms of use.',
    es: 'Un abogado puede llamarme y escribirme acerca de mi multa de tránsito al número que di aquí.\nAl presionar el botón doy mi firma y acepto que {company} y los bufetes de abogados de su lista de socios me llamen y me envíen mensajes de texto a ese número acerca de mi multa de tránsito, también con un sistema de marcación automática y con voz artificial o pregrabada, aunque mi número esté en una lista de no llamar. Mi aceptación no es condición para comprar nada y puedo retirarla en cualquier momento, por ejemplo respondiendo STOP. Pueden aplicarse tarifas de mensajes y datos. He leído la política de privacidad y los términos de uso.',
  },
};
