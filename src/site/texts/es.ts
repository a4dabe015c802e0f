import type { SiteTexts } from './site-texts.ts';

/** What the site says around its content, in Spanish. */
export const es: SiteTexts = {
  skipToContent: 'Ir al contenido',
  home: 'Inicio',
  menu: 'Menú',
  closeMenu: 'Cerrar',
  mainNavigation: 'Principal',
  breadcrumbs: 'Usted está aquí',
  menuEntries: ['home', 'sponsors', 'privacy-policy', 'contact'],
  pageNames: {
    home: 'Inicio',
    contact: 'Contacto',
    sponsors: 'Patrocinadores',
    'privacy-policy': 'Política de privacidad',
    'terms-of-use': 'Términos de uso',
    'do-not-sell': 'No vender mi información',
  },
  fileClaim: 'Presente su reclamo hoy',
  fileClaimShort: 'Su reclamo',
  call: 'Llamar',
  callNumber: 'Llame al {phone}',
  phoneStrip: 'Llamada gratis, sin compromiso',
  onThisPage: 'En esta página',
  checked: 'Última revisión: {date}',
  sources: 'Fuentes',
  nextTitle: 'Siga leyendo',
  otherLanguage: { label: 'English', language: 'en' },
  footerTitles: {
    lawsuits: 'Demandas por accidentes',
    laws: 'Leyes',
    more: 'Sobre nosotros',
    legal: 'Información legal',
  },
  startSurvey: 'Vea si podría tener un reclamo',
  startNote: 'Gratis. Sin honorarios si su abogado no gana. Puede parar en cualquier pregunta.',
};
