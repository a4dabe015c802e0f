import type { HomeWords } from './home-words.ts';

/** The home page in Spanish. */
export const homeEs: HomeWords = {
  metaTitle: '¿Se lastimó en un accidente? Vea si tiene un reclamo',
  description:
    'Responda unas preguntas y vea si un bufete de lesiones personales puede ayudarle después de un accidente. Gratis, y sin honorarios si su abogado no gana.',
  heading: '¿Se lastimó en un choque? Sepa cuál es su situación.',
  lead: 'Unas preguntas sencillas. Si un bufete de nuestra red puede ayudarle, le llama. La primera llamada es gratis, y usted decide qué pasa después.',
  promise:
    'Quién llama: un bufete de lesiones personales, porque usted lo pidió. No somos un bufete de abogados, y no nos debe nada.',
  questionLabel: 'Primera pregunta',
  nextTitle: 'Qué pasa después',
  nextLead: 'Tres pasos, y puede parar después de cada uno.',
  next: [
    {
      title: 'Responde unas preguntas',
      text: 'Qué pasó, cuándo y cómo se lastimó. Una pregunta a la vez, en unos dos minutos. Puede volver y cambiar cualquier respuesta.',
    },
    {
      title: 'Un bufete lo revisa',
      text: 'Si sus respuestas son lo que busca un bufete de nuestra red, las recibe y le llama al número que usted dio. Si ninguno es adecuado, se lo decimos enseguida.',
    },
    {
      title: 'Usted decide',
      text: 'Pregunte lo que quiera en la primera llamada. Es gratis. Si contrata al bufete, cobra solo si usted gana, como lo acuerden por escrito.',
    },
  ],
  whyTitle: 'Por qué elegirnos',
  why: [
    {
      title: 'Experiencia',
      text: 'Preguntamos lo primero que pregunta un abogado de lesiones, para que el bufete que le llame ya conozca el tipo de caso.',
    },
    {
      title: 'Servicio personalizado',
      text: 'Sus respuestas van a un bufete que trabaja en su estado y con su tipo de accidente, no a quien llame primero.',
    },
    {
      title: 'Primera consulta gratis',
      text: 'La primera llamada con un bufete no cuesta nada y no le obliga a nada. A nosotros no nos paga nunca, ni antes ni después.',
    },
  ],
  honestTitle: 'Qué somos y qué no somos',
  honest: [
    'No somos un bufete de abogados y no damos consejo legal.',
    'Los bufetes nos pagan por publicidad. Usted no.',
    'No clasificamos ni recomendamos abogados. La elección es suya.',
    'No podemos prometer que un bufete tome su caso.',
  ],
  honestLink: 'Quiénes son los bufetes',
  testimonialsTitle: 'Lo que dice la gente',
  testimonialsExamples:
    'Estos son ejemplos de cómo se verían aquí esas palabras. Nadie las ha dicho. Las verdaderas estarán aquí cuando la gente nos dé las suyas.',
  exampleLabel: 'Ejemplo',
  guidesTitle: 'Lea antes de firmar',
  guidesLead: 'Guías sencillas con sus fuentes (en inglés).',
  deadlineTitle: 'Hay un último día',
  deadlineText:
    'Cada estado tiene un plazo para demandar, de {shortest} a {longest}. Después, un reclamo no vale nada.',
  deadlineLink: 'Busque su estado (en inglés)',
  lastTitle: 'Dos minutos ahora pueden ahorrarle semanas de dudas.',
  lastText: '¿Prefiere hablar? Llame y pregunte primero lo que quiera saber.',
};
