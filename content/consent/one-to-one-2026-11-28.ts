import { permission } from './2026-11-28.ts';
import type { OneToOneConsentFile } from './consent-file.ts';
import { oneToOneConsent20261122 } from './one-to-one-2026-11-22.ts';

const may = { en: permission.en('accident'), es: permission.es('accidente') };
const pressing = {
  en: 'By pressing “Get my free case review” or “Send without choosing a firm”',
  es: 'Al presionar «Pedir mi revisión gratis» o «Enviar sin elegir un bufete»',
};

/**
 * Names the buttons, and says that calls and texts are marketing. Never edit this file: a changed wording needs a new
 * file with its own date.
 */
export const oneToOneConsent20261128: OneToOneConsentFile = {
  version: '2026-11-28',
  buyers: {
    en: `These law firms may call and text me about my accident, each only if ticked above: {firms}.\n${pressing.en} I sign and agree that {company} and each of these law firms that is ticked above may call and text me ${may.en} A law firm that is not ticked may not contact me because of this.`,
    es: `Estos bufetes pueden llamarme y escribirme por mi accidente, cada uno solo si está marcado arriba: {firms}.\n${pressing.es} firmo y acepto que {company} y cada uno de estos bufetes que esté marcado arriba me llamen y me envíen mensajes de texto ${may.es} Un bufete que no esté marcado no puede contactarme con base en esto.`,
  },
  oneBuyer: {
    en: `{firms} may call and text me about my accident if I chose Yes above.\n${pressing.en} I sign and agree that {company} and, if I chose Yes above, {firms} may call and text me ${may.en} Unless I chose Yes, {firms} may not contact me because of this.`,
    es: `{firms} puede llamarme y escribirme por mi accidente si elegí Sí arriba.\n${pressing.es} firmo y acepto que {company} y, si elegí Sí arriba, {firms} me llamen y me envíen mensajes de texto ${may.es} Si no elegí Sí, {firms} no puede contactarme con base en esto.`,
  },
  abbreviated: {
    en: `{company} may call and text me about my accident.\nBy pressing “Get my free case review” I sign and agree that {company} may call and text me ${may.en}`,
    es: `{company} puede llamarme y escribirme por mi accidente.\nAl presionar «Pedir mi revisión gratis» firmo y acepto que {company} me llame y me envíe mensajes de texto ${may.es}`,
  },
  statement: oneToOneConsent20261122.statement,
};
