import type { Language } from '../../model/fields/language.ts';
import type { PageId } from './site-map.ts';

/** One entry of the main menu: a page, or a drop-down group of pages. */
export type MenuEntry = PageId | MenuGroup;
export type MenuGroup = { readonly label: string; readonly pages: readonly PageId[] };

/** The texts around the content of every page. `fill` replaces `{…}`. */
const en = {
  skipToContent: 'Skip to content',
  menu: 'Menu',
  mainNavigation: 'Main',
  breadcrumbs: 'You are here',
  menuEntries: [
    'home',
    {
      label: 'Car Accident Lawsuits',
      pages: ['lawsuits', 'timeline', 'settlements', 'filing-claim', 'elements', 'faqs'],
    },
    { label: 'Car Accident Laws', pages: ['laws', 'texas', 'california'] },
    'video-gallery',
    'about-us',
    'contact',
  ] as readonly MenuEntry[],
  /** Link texts of the pages that exist in the language. */
  pageNames: {
    home: 'Home',
    lawsuits: 'All guides',
    timeline: 'Timeline of a claim',
    settlements: 'Settlements',
    'filing-claim': 'Filing a claim',
    elements: 'Elements of a case',
    faqs: 'Common questions',
    laws: 'Deadlines in every state',
    texas: 'Texas',
    california: 'California',
    'video-gallery': 'Video Gallery',
    'about-us': 'About',
    contact: 'Contact',
    sponsors: 'Sponsors',
    'privacy-policy': 'Privacy policy',
    'terms-of-use': 'Terms of use',
    'do-not-sell': 'Do not sell my information',
    verify: 'Check an evidence pack',
  } as Readonly<Partial<Record<PageId, string>>>,
  fileClaim: 'File your claim today',
  fileClaimShort: 'File your claim',
  call: 'Call',
  callNumber: 'Call {phone}',
  callBar: 'Reach us',
  phoneStrip: 'Free call, no obligation',
  onThisPage: 'On this page',
  checked: 'Last checked {date}',
  sources: 'Sources',
  nextTitle: 'Read next',
  aboutUs: 'About us',
  notFound: {
    title: 'Page not found',
    description: 'There is no page at this address. Here is where you can go next.',
    heading: 'We can’t find that page',
    lead: 'The address may be old or mistyped.',
    home: 'Go to the home page',
    guides: 'Read our guides',
  },
  startSurvey: 'See if you may have a claim',
  startNote: 'Free. No fee unless your lawyer wins. You can stop at any question.',
};

const es: typeof en = {
  skipToContent: 'Ir al contenido',
  menu: 'Menú',
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
    verify: 'Comprobar un paquete de pruebas',
  },
  fileClaim: 'Presente su reclamo hoy',
  fileClaimShort: 'Iniciar reclamo',
  call: 'Llamar',
  callNumber: 'Llame al {phone}',
  callBar: 'Comuníquese con nosotros',
  phoneStrip: 'Llamada gratis, sin compromiso',
  onThisPage: 'En esta página',
  checked: 'Última revisión: {date}',
  sources: 'Fuentes',
  nextTitle: 'Siga leyendo',
  aboutUs: 'Sobre nosotros',
  notFound: {
    title: 'Página no encontrada',
    description: 'En esta dirección no hay ninguna página. Desde aquí puede continuar.',
    heading: 'No encontramos esa página',
    lead: 'Puede que la dirección sea vieja o tenga un error.',
    home: 'Ir a la página de inicio',
    guides: 'Leer nuestras guías',
  },
  startSurvey: 'Vea si puede reclamar',
  startNote: 'Gratis. Sin honorarios si su abogado no gana. Puede parar en cualquier pregunta.',
};

export const siteTexts: Readonly<Record<Language, typeof en>> = { en, es };
