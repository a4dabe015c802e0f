/** Words of the sections that pages insert, such as the table of deadlines. */

export const deadlineWords = {
  en: {
    caption: 'Time to file a lawsuit for an injury, by state',
    state: 'State',
    time: 'Time to sue',
    from: 'from the day of the crash to file a lawsuit for an injury in {state}.',
    since: 'For crashes on or after {since}. Before that, {coded}.',
    source: 'Source: {source}.',
    survey: 'Our questions still use {coded} here. Go by the law: {now}.',
  },
  es: {
    caption: 'Plazo para demandar por una lesión, por estado',
    state: 'Estado',
    time: 'Plazo',
    from: 'desde el día del choque para demandar por una lesión en {state}.',
    since: 'Para choques desde el {since}. Antes, {coded}.',
    source: 'Fuente: {source}.',
    survey: 'Nuestras preguntas todavía cuentan {coded} aquí. Guíese por la ley: {now}.',
  },
} as const;

export const publisherWords = {
  en: {
    examples:
      'Example details, in this demo only. The live site names the real company and people.',
    founder: 'Founder',
    entity: 'Run by',
    address: 'Address',
    phone: 'Phone',
    email: 'E-mail',
    reviewer: 'Guides reviewed by',
    attorney: '{name}, {state} bar no. {number}, on {date}',
    reviewed: 'Reviewed by attorney ',
  },
  es: {
    examples:
      'Datos de ejemplo, solo en esta demostración. El sitio real nombra a la empresa y a las personas.',
    founder: 'Fundó este sitio',
    entity: 'Empresa',
    address: 'Dirección',
    phone: 'Teléfono',
    email: 'Correo electrónico',
    reviewer: 'Quién revisó las guías en inglés',
    attorney: '{name}, licencia n.º {number} del colegio de abogados de {state}, el {date}',
    reviewed: 'Versión en inglés revisada por ',
  },
} as const;

export const sponsorWords = {
  en: {
    placeholders: 'Example firms, in this demo only. The live site lists the firms that take part.',
    everywhere: 'Every state and the District of Columbia',
    except: 'Every state except {states}',
    office: 'Office',
    responsible: 'Responsible lawyer',
    states: 'States',
    record: 'Bar record of {name}',
    bar: '{state} bar association',
    nobody: 'No firm is listed at the moment.',
  },
  es: {
    placeholders:
      'Bufetes de ejemplo, solo en esta demostración. En el sitio real están los bufetes que participan.',
    everywhere: 'Todos los estados y el Distrito de Columbia',
    except: 'Todos los estados menos {states}',
    office: 'Oficina',
    responsible: 'Abogado responsable',
    states: 'Estados',
    record: '{name} en el colegio de abogados',
    bar: 'Colegio de abogados de {state}',
    nobody: 'Por ahora no hay ningún bufete en la lista.',
  },
} as const;

export const filmWords = {
  en: {
    captions: 'English',
    transcript: 'Read it instead',
    coming: 'Our first films are in the making. Until then, our guides say the same in writing: ',
  },
  es: {
    captions: 'Español',
    transcript: 'Leer el texto',
    coming: 'Estamos preparando los primeros videos. Mientras tanto, lea nuestras guías: ',
  },
} as const;
