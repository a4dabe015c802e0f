import type { HomeWords } from './home-words.ts';

/** The home page in Spanish. */
export const homeEs: HomeWords = {
  metaTitle: '¿Se lastimó en un accidente? Vea sus opciones',
  description:
    'Responda unas preguntas y vea si un bufete de lesiones personales puede ayudarle después de un accidente. Gratis, y sin honorarios si su abogado no gana.',
  heading: '¿Se lastimó en un choque? Sepa cuál es su situación.',
  lead: 'Conteste unas preguntas. Si un bufete puede ayudarle, le llama. La primera llamada es gratis, y usted decide.',
  promise:
    '¿Quién llama? Bufetes de accidentes, y solo si usted lo pide. No somos un bufete de abogados, y usted no nos debe nada.',
  questionLabel: 'Primera pregunta',
  nextTitle: 'Qué pasa después',
  nextLead: 'Tres pasos, y puede parar después de cualquiera.',
  next: [
    {
      title: 'Usted contesta unas preguntas',
      text: 'Qué pasó, cuándo y cómo se lastimó. Una pregunta a la vez, en unos dos minutos. Puede regresar y cambiar cualquier respuesta.',
    },
    {
      title: 'Un bufete lo revisa',
      text: 'Si un bufete de nuestra red toma casos como el suyo, recibe sus respuestas y le llama al número que usted dio. Si ninguno los toma, se lo decimos enseguida.',
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
      text: 'Preguntamos lo primero que pregunta un abogado de lesiones, para que el bufete que le llame ya sepa qué tipo de caso es.',
    },
    {
      title: 'Servicio personalizado',
      text: 'Sus respuestas van a un bufete que trabaja en su estado y toma su tipo de accidente, no a quien llame primero.',
    },
    {
      title: 'Primera consulta gratis',
      text: 'La primera llamada con un bufete no cuesta nada y no le compromete a nada. A nosotros nunca nos paga, ni antes ni después.',
    },
  ],
  honestTitle: 'Qué somos y qué no somos',
  honest: [
    'No somos un bufete de abogados y no ofrecemos asesoría legal.',
    'Los bufetes nos pagan. Usted nunca.',
    'No clasificamos ni recomendamos abogados. La elección es suya.',
    'No podemos prometer que un bufete tome su caso.',
  ],
  honestLink: 'Quiénes son los bufetes',
  testimonialsTitle: 'Lo que dice la gente',
  testimonialsExamples:
    'Estos son ejemplos. Nadie los dijo. Los verdaderos estarán aquí cuando la gente comparta los suyos.',
  exampleLabel: 'Ejemplo',
  guidesTitle: 'Lea antes de firmar',
  guidesLead: 'Guías sencillas, con sus fuentes. Están en inglés.',
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
  deadlineTitle: 'Hay un último día',
  deadlineText:
    'Cada estado pone un plazo para demandar, de {shortest} a {longest}. Si se le pasa, casi siempre pierde el derecho a demandar.',
  deadlineLink: 'Busque su estado (en inglés)',
  lastTitle: 'Dos minutos ahora pueden ahorrarle semanas de dudas.',
  lastText: '¿Prefiere hablar? Llámenos y pregunte primero lo que quiera.',
};
