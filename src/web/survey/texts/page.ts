import { both, type InBoth, type InOne, list } from './shared.ts';
import type { ThankYouTexts } from './thank-you.ts';

/** Texts of the page around the survey. */
export const page = {
  title: both('Free car accident case review', 'Revisión gratis de su caso de accidente'),
  description: both(
    'Answer a few simple questions about your accident and see if you may have a claim. Free, no obligation.',
    'Conteste unas preguntas sencillas sobre su accidente y vea si puede reclamar. Gratis y sin compromiso.',
  ),
  skipToQuestion: both('Skip to the question', 'Ir a la pregunta'),
  callUs: both('Call us', 'Llámenos'),
  panelTitle: both('What happens from here', 'Qué pasa desde aquí'),
  panelSteps: [
    both('You answer a few short questions.', 'Usted contesta unas preguntas cortas.'),
    both(
      'Up to five law firms may call you. They pay us for it.',
      'Hasta cinco bufetes pueden llamarle. Nos pagan por ello.',
    ),
    both(
      'You talk for free, and you decide what comes next.',
      'La llamada es gratis, y usted decide qué sigue.',
    ),
  ],
  // The short legal notice under a question. `legalMore` links to the full text.
  legalLine: both(
    'Attorney advertising. Not a law firm.',
    'Publicidad de abogados. No somos un bufete.',
  ),
  stopAnyTime: both(
    'You can stop at any question. No law firm gets your answers or your number unless you send them.',
    'Puede parar en cualquier pregunta. Ningún bufete recibe sus respuestas ni su número si usted no los envía.',
  ),
  // The lines above the phone number. The part before the bar is emphasised. The consent text
  // decides who calls.
  whoCalls: {
    anyFirm: both('Up to five law firms| may call you.', 'Hasta cinco bufetes| pueden llamarle.'),
    // The consent text lets the company call too.
    chosenFirms: both(
      'A law firm calls| only if you choose it.',
      'Un bufete llama| solo si usted lo elige.',
    ),
    company: both('{company}| may call you.', '{company}| puede llamarle.'),
  },
  callLines: [
    both(
      'Usually in one working day,| not at night.',
      'En un día hábil,| por lo general; no de noche.',
    ),
    both('To stop,| reply STOP or tell the caller.', 'Para parar,| responda STOP o dígaselo.'),
  ],
  // Opens the list of law firms below the consent text.
  firmList: both('Show the law firms on the list', 'Ver los bufetes de la lista'),
  legalMore: both('Read more', 'Leer\u00a0más'),
  // Title and reasons of the page that refuses a form sent without JavaScript.
  formProblemTitle: both('Your answers didn’t get through', 'Sus respuestas no llegaron'),
  formProblems: {
    no_visit: both(
      'We couldn’t find your answers. We keep them for one day, and only if your browser accepts our cookie. Please start again, or call us.',
      'No encontramos sus respuestas. Las guardamos un día, y solo si su navegador acepta nuestra cookie. Por favor, empiece de nuevo o llámenos.',
    ),
    unreadable: both(
      'Please go back one page, check what you wrote and send it again. A shorter text may help.',
      'Regrese una página, revise lo que escribió y envíelo otra vez. Un texto más corto puede ayudar.',
    ),
    foreign_page: both(
      'To keep you safe, we only accept answers given on our own pages. Please start from the first question.',
      'Por su seguridad, solo aceptamos respuestas que se dan en nuestras páginas. Por favor, empiece desde la primera pregunta.',
    ),
    too_many: both(
      'That was a little too fast. Please wait a minute, then reload this page. Your answers are safe.',
      'Eso fue un poco rápido. Espere un minuto y vuelva a cargar esta página. Sus respuestas están guardadas.',
    ),
    unavailable: both(
      'Please reload this page in a moment. If your browser asks, let it send the form again. Your earlier answers are safe.',
      'Vuelva a cargar esta página en un momento. Si su navegador pregunta, deje que envíe el formulario otra vez. Sus respuestas anteriores están guardadas.',
    ),
  },
  startAgain: both('Go to the first question', 'Ir a la primera pregunta'),
  notLawFirm: both(
    '{company} is not a law firm and does not give legal advice. Using this site does not make you anyone’s client.',
    '{company} no es un bufete de abogados y no ofrece asesoría legal. Usar este sitio no crea una relación de abogado y cliente.',
  ),
  noEndorsement: both(
    '{company} does not endorse or recommend any lawyer or law firm in its network and does not check their qualifications. The choice of a lawyer is an important decision and should not be based on advertising alone.',
    '{company} no respalda ni recomienda a ningún abogado o bufete de su red y no verifica su preparación. Elegir un abogado es una decisión importante y no debe basarse solo en la publicidad.',
  ),
  jointAdvertising: both(
    'Attorney advertising. This site is a joint advertisement paid for by the lawyers and law firms on our list of',
    'Publicidad de abogados. Este sitio es un anuncio conjunto pagado por los abogados y bufetes de nuestra lista de',
  ),
  footerNavigation: both('Legal information', 'Información legal'),
  links: {
    sponsors: both('sponsors', 'patrocinadores'),
    privacy: both('Privacy policy', 'Política de privacidad'),
    california: both('California residents', 'Residentes de California'),
    health: both('Consumer health data', 'Datos de salud'),
    terms: both('Terms of use', 'Términos de uso'),
    doNotSell: both('Do not sell my information', 'No vender mi información'),
  },
};

/** The texts that replace general ones on the pages of a flow. */
type SubjectTexts = Partial<
  Pick<InOne<typeof page>, 'title' | 'description' | 'panelTitle' | 'panelSteps'>
> & {
  readonly thankYou?: Partial<ThankYouTexts>;
};

/** Maps a flow's id to its texts, for flows with another subject or firms chosen by name. */
export const subjects: InBoth<Readonly<Record<string, SubjectTexts | undefined>>> = {
  'one-to-one': {
    panelSteps: [
      both('You answer a few short questions.', 'Usted contesta unas preguntas cortas.'),
      both(
        'You see by name which law firms may call you. They pay us for it.',
        'Usted ve el nombre de los bufetes que pueden llamarle. Nos pagan por ello.',
      ),
      both(
        'You talk for free, and you decide what comes next.',
        'La llamada es gratis, y usted decide qué sigue.',
      ),
    ],
  },
  ticket: {
    title: both('Free traffic ticket review', 'Revisión gratis de su multa de tránsito'),
    description: both(
      'Answer a few simple questions about your traffic ticket and find out if a lawyer can help you.',
      'Conteste unas preguntas sencillas sobre su multa de tránsito y averigüe si un abogado puede ayudarle.',
    ),
    panelTitle: both('What happens with your ticket', 'Qué pasa con su multa'),
    panelSteps: [
      both(
        'You answer a few short questions about your ticket.',
        'Usted contesta unas preguntas cortas sobre su multa.',
      ),
      both(
        'Up to five law firms may call you. They pay us for it.',
        'Hasta cinco bufetes pueden llamarle. Nos pagan por ello.',
      ),
      both(
        'You ask what it would cost, and you decide.',
        'Usted pregunta cuánto costaría, y decide.',
      ),
    ],
    thankYou: {
      asked: list(
        both('What the caller will ask', 'Qué le van a preguntar'),
        both(
          'What the ticket is for, and where and when you got it',
          'Por qué le dieron la multa, dónde y cuándo',
        ),
        both(
          'When you have to answer it or go to court',
          'Hasta qué día tiene para contestarla o ir a la corte',
        ),
        both('Whether there was an accident', 'Si hubo un accidente'),
        both(
          'Your driver’s license, and any earlier tickets',
          'Con qué licencia maneja y si ha tenido otras multas',
        ),
      ),
      papers: list(
        both('Have these ready', 'Tenga esto a la mano'),
        both('The ticket, front and back', 'La multa, por los dos lados'),
        both('Your driver’s license', 'Su licencia de manejar'),
        both(
          'Your insurance card and car registration',
          'La tarjeta del seguro y el registro del auto',
        ),
        both('Photos of the place, if you have any', 'Fotos del lugar, si las tiene'),
      ),
    },
  },
  benefits: {
    title: both('Which benefits could you apply for?', '¿Qué beneficios podría solicitar?'),
    description: both(
      'Answer two simple questions and see which benefit rules you meet.',
      'Conteste dos preguntas sencillas y vea qué reglas de los beneficios cumple.',
    ),
    panelTitle: both(
      'See which benefits you could apply for.',
      'Vea qué beneficios podría solicitar.',
    ),
    panelSteps: [
      both('You answer two short questions.', 'Usted contesta dos preguntas cortas.'),
      both('You see right away which rules you meet.', 'Ve enseguida qué reglas cumple.'),
      both(
        'You can call and ask. Nobody calls you.',
        'Puede llamar y preguntar. Nadie le llama a usted.',
      ),
    ],
  },
};
