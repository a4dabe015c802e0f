import type { HomeWords } from './home-words.ts';

/** The home page in Spanish. */
export const homeEs: HomeWords = {
  metaTitle: '¿Se lastimó en un accidente? Vea sus opciones',
  description:
    'Responda unas preguntas y vea si un bufete de accidentes puede ayudarle. Gratis, y sin honorarios si no gana.',
  heading: '¿Se lastimó en un choque? Conozca sus opciones.',
  lead: 'Conteste unas preguntas. Si nuestros bufetes toman casos como el suyo, pueden llamarle hasta cinco. La primera llamada es gratis, y usted decide.',
  promise:
    '¿Quién llama? Hasta cinco bufetes de accidentes, y solo si usted lo pide. Nos pagan por recibir sus respuestas. No somos un bufete de abogados, y usted no nos debe nada.',
  questionLabel: 'Primera pregunta',
  nextTitle: 'Qué pasa después',
  nextLead: 'Tres pasos, y puede parar después de cualquiera.',
  next: [
    {
      title: 'Usted contesta unas preguntas',
      text: 'Qué pasó, cuándo y cómo se lastimó. Una pregunta a la vez, en unos dos minutos. Puede regresar y cambiar cualquier respuesta.',
    },
    {
      title: 'Los bufetes lo revisan',
      text: 'Si en nuestra lista hay bufetes que toman casos como el suyo, hasta cinco reciben sus respuestas. Pueden llamarle y mandarle mensajes, cada uno desde su propio número. Si no hay ninguno, se lo decimos enseguida.',
    },
    {
      title: 'Usted decide',
      text: 'Pregunte lo que quiera en la primera llamada. Es gratis. Si contrata al bufete, acuerdan por escrito que cobra solo si usted gana.',
    },
  ],
  whyTitle: 'Por qué elegirnos',
  why: [
    {
      title: 'Experiencia',
      text: 'Preguntamos lo primero que pregunta un abogado de accidentes, para que el bufete que le llame ya sepa qué tipo de caso es. Nuestras guías nombran las leyes en que se basan.',
    },
    {
      title: 'Servicio personalizado',
      text: 'Sus respuestas van a bufetes que trabajan en su estado y toman su tipo de accidente, a cinco como máximo.',
    },
    {
      title: 'Primera consulta gratis',
      text: 'La primera llamada con un bufete no cuesta nada y no le compromete a nada. Usted nunca nos paga a nosotros, ni antes ni después.',
    },
  ],
  honestTitle: 'Qué somos y qué no somos',
  honest: [
    'No somos un bufete de abogados y no ofrecemos asesoría legal.',
    'Los bufetes nos pagan por sus respuestas y su número. Usted no nos paga nada.',
    'Puede ver lo que guardamos de usted y pedir que se borre en cualquier momento.',
    'No clasificamos ni recomendamos abogados. Usted elige.',
    'No podemos prometer que un bufete tome su caso.',
  ],
  honestLink: 'Cómo trabajamos y quién nos paga',
  testimonialsTitle: 'Lo que dice la gente',
  testimonialsExamples:
    'Son ejemplos, solo en esta demostración. En el sitio real hay palabras de personas reales, o ninguna.',
  exampleLabel: 'Ejemplo (solo en la demo)',
  guidesTitle: 'Lea antes de firmar',
  guidesLead: 'Guías sencillas, con sus fuentes, para las semanas después de un choque.',
  guides: {
    timeline: {
      title: 'Cuánto tarda un reclamo',
      text: 'Qué pasa en las primeras horas, semanas y meses, y las fechas que no puede dejar pasar.',
    },
    settlements: {
      title: 'Qué paga un acuerdo',
      text: 'Qué lo hace mayor o menor, y qué se descuenta antes de que usted reciba el dinero.',
    },
    'filing-claim': {
      title: 'Cómo presentar un reclamo',
      text: 'A quién avisar, qué enviar, qué no firmar y cuándo conviene un abogado.',
    },
  },
  deadlineTitle: 'Hay una fecha límite',
  deadlineText:
    'Cada estado pone un plazo para demandar, de {shortest} a {longest}. Si se le pasa, casi siempre pierde el derecho a demandar.',
  deadlineLink: 'Busque su estado',
  lastTitle: 'Dos minutos ahora pueden ahorrarle semanas de dudas.',
  lastText: '¿Prefiere hablar? Llámenos y pregunte lo que quiera.',
};
