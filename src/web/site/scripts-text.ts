import type { Language } from '../../model/fields/language.ts';
import type { ScriptSettings } from '../../model/messages/script-declarations.ts';

const words = {
  en: {
    none: 'Right now, no third-party script is switched on.',
    some: 'Third-party scripts switched on somewhere on this site:',
    names: {
      call: 'counting calls',
      click: 'counting ad clicks',
      proof: 'proof of consent (TrustedForm, LeadiD)',
      ads: 'measuring ads',
    },
  },
  es: {
    none: 'Por ahora no hay ningún programa de terceros activo.',
    some: 'Programas de terceros activos en alguna parte de este sitio:',
    names: {
      call: 'conteo de llamadas',
      click: 'conteo de clics de anuncios',
      proof: 'prueba de consentimiento (TrustedForm, LeadiD)',
      ads: 'medición de anuncios',
    },
  },
} as const;

/** Returns the privacy policy's sentence on the third-party scripts that the settings enable. */
export function scriptsText(scripts: ScriptSettings, language: Language): string {
  const { none, some, names } = words[language];
  const { callTracking, click, trustedForm, leadid, pixel, caseWorth, ticket, adPixel } = scripts;
  const on = [
    callTracking && names.call,
    click && names.click,
    (trustedForm || leadid) && names.proof,
    (pixel || caseWorth || ticket || adPixel || scripts.caseWorthFacebook) && names.ads,
  ].filter(Boolean);
  return on.length === 0 ? none : `${some} ${on.join(', ')}.`;
}
