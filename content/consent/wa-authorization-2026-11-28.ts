import type { AuthorizationFile } from '../../src/model/rules/authorization-text.ts';

/**
 * The authorization to sell health answers (RCW 19.373.070). Never edit this file: a changed wording
 * needs a new file with its own date.
 */
export const waAuthorization20261128: AuthorizationFile = {
  version: 'wa-2026-11-28',
  words: {
    en: {
      question: 'May we sell your health answers to a law firm?',
      help: 'In Washington this needs its own signature. If you say no, no law firm gets your answers.',
      yes: 'Yes, I sign',
      no: 'No, do not sell them',
      text: `What: I let {company} sell my answers about my injuries and treatment, and my description of the accident, with my name and contact details.
Seller: {company}, {email}.
Buyer: {firms}.
Purpose: I gave these answers in this survey. The buyer pays for them, and uses them to call me and to decide whether to take my case.
My choice: I do not have to sign. No goods or services may depend on my signature.
My right: I may revoke this at any time. I write to {email}, or fill in “Do not sell my information” on this site.
After the sale: The buyer may pass my answers on. Washington’s law on health data (RCW 19.373.070) may then no longer protect them.
Signature: By pressing “Yes, I sign” I sign this on {signed}. It expires on {expires}, one year later.`,
    },
    es: {
      question: '¿Podemos vender a un bufete sus respuestas sobre su salud?',
      help: 'En Washington esto requiere una firma aparte. Si dice que no, ningún bufete recibe sus respuestas.',
      yes: 'Sí, firmo',
      no: 'No, no las vendan',
      text: `Qué: Permito que {company} venda mis respuestas sobre mis lesiones y mi tratamiento, y mi descripción del accidente, con mi nombre y mis datos de contacto.
Vendedor: {company}, {email}.
Comprador: {firms}.
Para qué: Di estas respuestas en este cuestionario. El comprador paga por ellas, y las usa para llamarme y para decidir si toma mi caso.
Mi decisión: No tengo que firmar. Ningún producto ni servicio puede depender de mi firma.
Mi derecho: Puedo revocar esto en cualquier momento. Escribo a {email}, o lleno “No vender mi información” en este sitio.
Después de la venta: El comprador puede compartir mis respuestas. Es posible que la ley de Washington sobre datos de salud (RCW 19.373.070) ya no las proteja.
Firma: Al presionar “Sí, firmo” firmo esto el {signed}. Vence el {expires}, un año después.`,
    },
  },
};
