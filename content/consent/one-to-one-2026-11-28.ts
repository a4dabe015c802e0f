import { kindOfCall, signature } from './2026-11-28.ts';
import type { OneToOneConsentFile } from './consent-file.ts';
import { oneToOneConsent20261122 } from './one-to-one-2026-11-22.ts';

const buttons = {
  en: '“Get my free case review” or, without a firm, “Send without choosing a firm”,',
  es: '«Revisar mi caso gratis» o, sin un bufete, «Enviar sin elegir un bufete»,',
};
const end = { en: signature.en(buttons.en), es: signature.es(buttons.es) };

/**
 * Names the buttons, and says that calls and texts are marketing. Never edit this file: a changed wording needs a new
 * file with its own date.
 */
export const oneToOneConsent20261128: OneToOneConsentFile = {
  version: '2026-11-28',
  buyers: {
    en: `{company} and each law firm ticked above may call and text me about my accident: {firms}. ${kindOfCall.en}\n${end.en} A law firm that is not ticked may not contact me because of this.`,
    es: `{company} y cada bufete marcado arriba pueden llamarme y mandarme mensajes por mi accidente: {firms}. ${kindOfCall.es}\n${end.es} Un bufete que no esté marcado no puede contactarme con base en esto.`,
  },
  oneBuyer: {
    en: `{company} and, if I chose Yes above, {firms} may call and text me about my accident. ${kindOfCall.en}\n${end.en} Unless I chose Yes, {firms} may not contact me because of this.`,
    es: `{company} y, si elegí Sí arriba, {firms} pueden llamarme y mandarme mensajes por mi accidente. ${kindOfCall.es}\n${end.es} Si no elegí Sí, {firms} no puede contactarme con base en esto.`,
  },
  abbreviated: {
    en: `{company} may call and text me about my accident. ${kindOfCall.en}\n${signature.en('“Get my free case review”')}`,
    es: `{company} puede llamarme y mandarme mensajes por mi accidente. ${kindOfCall.es}\n${signature.es('«Revisar mi caso gratis»')}`,
  },
  statement: oneToOneConsent20261122.statement,
};
