import { both, type InBoth, type InOne, type ListTexts, list } from './shared.ts';

/** Texts of a thank-you page. */
export const thankYou = {
  qualifiedTitle: both(
    'Thank you. You\u00a0have done your part.',
    'Gracias. Usted\u00a0ya hizo su parte.',
  ),
  qualifiedLead: both(
    'Law firms will look over what you told us and get in touch with you.',
    'Los bufetes van a revisar lo que nos contó y se comunicarán con usted.',
  ),
  disqualifiedTitle: both(
    'Thank you for telling us what happened.',
    'Gracias por contarnos lo que pasó.',
  ),
  disqualifiedLead: both(
    'Our firms probably can’t take this case, so don’t wait for a call. Another lawyer may see it differently. Here’s who can help.',
    'Lo más probable es que nuestros bufetes no tomen este caso; no espere una llamada. Otro abogado puede verlo de otra manera. Aquí le decimos quién puede ayudarle.',
  ),
  // Replaces `qualifiedLead` if the law of the visitor's state forbids the sale of leads.
  closedLead: both(
    'Because of the rules for {state}, we can’t pass your answers to a law firm. Here’s who can help you find a lawyer.',
    'Por las reglas para {state}, no podemos pasar sus respuestas a un bufete de abogados. Aquí le decimos quién puede ayudarle a encontrar abogado.',
  ),
  // Replaces `qualifiedLead` if a visitor in Washington did not sign the authorization.
  unsignedLead: both(
    'Without your signature, no law firm gets your answers. We keep them. Here’s who can help you find a lawyer.',
    'Sin su firma, ningún bufete recibe sus respuestas. Nosotros las guardamos. Aquí le decimos quién puede ayudarle a encontrar abogado.',
  ),
  asked: list(
    both('What the caller will ask', 'Qué le van a preguntar'),
    both('Where and when the accident happened', 'Dónde y cuándo fue el accidente'),
    both(
      'Where you are hurt, and which doctors you have seen',
      'Dónde le duele y qué doctores le han atendido',
    ),
    both(
      'Who else was there: drivers, passengers, witnesses',
      'Quién más estuvo: conductores, pasajeros, testigos',
    ),
    both(
      'Which insurance you and the other driver have',
      'Qué seguro tienen usted y el otro conductor',
    ),
    both(
      'Whether the police came, and whether an insurer has called you',
      'Si llegó la policía y si ya le llamó alguna aseguradora',
    ),
  ),
  papers: list(
    both('Have these ready, if you have them', 'Tenga esto a la mano, si lo tiene'),
    both('The police report or its number', 'El reporte de la policía o su número'),
    both('Your insurance card', 'Su tarjeta del seguro'),
    both(
      'The other driver’s name, plate and insurance',
      'Nombre, placas y seguro del otro conductor',
    ),
    both(
      'Photos of the cars, the place and your injuries',
      'Fotos de los autos, del lugar y de sus lesiones',
    ),
    both(
      'Medical bills and records, and proof of missed pay',
      'Recibos y papeles médicos, y prueba del sueldo que perdió',
    ),
  ),
  // Replaces `papers` if the other driver left and is not found.
  papersOfRun: list(
    both('The driver left: what helps now', 'El otro conductor huyó: qué sirve ahora'),
    both('A police report: make one today', 'El reporte de la policía: hágalo hoy'),
    both('Camera video from shops and homes', 'Videos de cámaras de tiendas y casas'),
    both('Who saw it: names and numbers', 'Quién lo vio: nombre y teléfono'),
    both('The other car’s color, make, plate', 'Color, marca y placas del otro auto'),
    both(
      'Your own insurance: look for “uninsured motorist” (UM)',
      'Su propio seguro: busque “uninsured motorist” (UM)',
    ),
    both('Photos, and your medical bills', 'Fotos y sus recibos médicos'),
  ),
  callTitle: both('Your call', 'Su llamada'),
  caller: both(
    'Law firms will call you, five at most, usually within one working day.',
    'Le llamarán bufetes de abogados, cinco como máximo, por lo general en un día hábil.',
  ),
  callerUnsent: both(
    'Law firms call only people who asked for a call.',
    'Los bufetes solo llaman a quien lo pidió.',
  ),
  callers: both(
    '{firms} will call you, usually within one working day.',
    'Recibirá una llamada de {firms}, por lo general en un día hábil.',
  ),
  // Repeats what the visitor asked for on the contact step.
  wish: both(
    'You asked for a call {wish}. If a firm does it differently, tell the caller.',
    'Pidió una llamada {wish}. Si un bufete lo hace de otra forma, dígalo cuando llame.',
  ),
  wishes: {
    English: both('in English', 'en inglés'),
    Spanish: both('in Spanish', 'en español'),
    morning: both('in the morning', 'en la mañana'),
    afternoon: both('in the afternoon', 'en la tarde'),
    evening: both('in the evening', 'después de las 5'),
  },
  // Shown to visitors who did not choose a language for the call.
  speak: both(
    'Prefer Spanish? Say so when they call.',
    'Si prefiere hablar en español, dígalo cuando llamen.',
  ),
  calendar: both('Add to my calendar', 'Agregar a mi calendario'),
  // The title of the calendar entry.
  mayCall: both('A law firm may call you', 'Puede llamarle un bufete de abogados'),
  ownNumber: both(
    'The call comes from a law firm’s number, not from ours.',
    'La llamada llega del número de un bufete, no del nuestro.',
  ),
  ourNumber: both('Our number, for questions', 'Nuestro número, por si tiene preguntas'),
  saveNumber: both('Save our number', 'Guardar nuestro número'),
  // For visitors who could choose law firms and chose none (docs/specification.md#later-choice).
  noFirm: {
    title: both(
      'You chose no firm, so none will call.',
      'Usted no eligió ningún bufete, así que ninguno le llamará.',
    ),
    lead: both(
      'We saved your answers. No firm will call unless you choose one.',
      'Guardamos sus respuestas. Ningún bufete le llamará si usted no elige uno.',
    ),
    // Shown to visitors who are too late to choose, or whose browser runs no script.
    call: both(
      'Changed your mind? Call us and ask for a law firm.',
      '¿Cambió de opinión? Llámenos y pida un bufete.',
    ),
    legend: both(
      'Changed your mind? Choose who may call you.',
      '¿Cambió de opinión? Elija quién puede llamarle.',
    ),
    // The consent text beside it names this button.
    button: both('Get my free case review', 'Revisar mi caso gratis'),
    missing: both('Tick a box first.', 'Primero marque una casilla.'),
    // Replaces `title` and `lead` if the visitor's choice may have come too late.
    lateTitle: both('Your choice didn’t get through in time.', 'Su elección no llegó a tiempo.'),
    lateLead: both(
      'Don’t count on a call from a law firm. Call us and ask for one.',
      'No cuente con la llamada de un bufete. Llámenos y pida uno.',
    ),
  },
  copy: {
    title: both('Your answers', 'Sus respuestas'),
    note: both(
      'Only this page has this copy. It is gone when you close or leave it.',
      'Esta copia está solo en esta página. Se borra cuando usted la cierra o sale de ella.',
    ),
    print: both('Print or save', 'Imprimir o guardar'),
  },
  stateTitle: both('Two next steps in your state', 'Dos pasos que puede dar en su estado'),
  ownStateTitle: both('Two next steps in {state}', 'Dos pasos que puede dar en {state}'),
  // Shown if the visitor's US state is unknown.
  findDeadline: both(
    'Know your time limit. It depends on the state: choose yours below.',
    'Conozca su plazo. Depende del estado: elija el suyo abajo.',
  ),
  deadline: both(
    'In {state} the usual deadline for an injury claim is {years} years from the day of the accident.',
    'En {state} el plazo normal para reclamar por una lesión es de {years} años desde el día del accidente.',
  ),
  deadlineOfOne: both(
    'In {state} the usual deadline for an injury claim is one year from the day of the accident.',
    'En {state} el plazo normal para reclamar por una lesión es de un año desde el día del accidente.',
  ),
  since: both('This is for accidents on or after {day}.', 'Vale para accidentes desde el {day}.'),
  deadlineNote: both(
    'General information as of November 2026, not advice about your case. Some deadlines are much shorter, such as for a claim against a city or a state.',
    'Información general de noviembre de 2026, no asesoría sobre su caso. Algunos plazos son mucho más cortos, por ejemplo para reclamar a una ciudad o a un estado.',
  ),
  askBar: both('Ask the {state} bar association', 'Preguntar al colegio de abogados de {state}'),
  askDirectory: both(
    'Find free legal help and lawyer referrals in your state',
    'Buscar ayuda legal gratis y abogados en su estado',
  ),
  otherStates: both('Choose a state', 'Elegir un estado'),
  // Shown to visitors who open the page without having sent a lead.
  unsentTitle: both('We can’t see any answers here', 'Aquí no vemos ninguna respuesta'),
  unsentLead: both(
    'This window has no answers to our questions. If you sent yours from another one, a law firm may still call you. You can also start here, or call us.',
    'En esta ventana no hay respuestas a nuestras preguntas. Si las envió desde otra, es posible que un bufete le llame. También puede empezar aquí o llamarnos.',
  ),
  // Instructions for withdrawing consent. The link `takeBackLink` ends the sentence.
  takeBack: both(
    'Changed your mind? Reply STOP to a text, tell the caller, or',
    '¿Cambió de opinión? Responda STOP a un mensaje, dígaselo a quien llame o',
  ),
  takeBackLink: both(
    'ask us not to share your information',
    'pídanos que no compartamos su información',
  ),
  unsentStart: both('Start the questions', 'Empezar las preguntas'),
  call: both('Questions? Call us:', '¿Preguntas? Llámenos:'),
  partner: both('See other ways to get help', 'Ver otras formas de recibir ayuda'),
  partnerNote: both(
    'Another company may be able to help. It is not a law firm that we work with.',
    'Otra empresa tal vez pueda ayudarle. No es un bufete con el que trabajamos.',
  ),
  statusReceived: both('We have received your answers.', 'Ya recibimos sus respuestas.'),
  statusWaiting: both(
    'Your answers are saved on this device. We’re still sending them…',
    'Sus respuestas están guardadas en este dispositivo. Todavía las estamos enviando…',
  ),
  statusStopped: both(
    'Your answers are saved on this device, but we couldn’t send them. Please call us.',
    'Sus respuestas están guardadas en este dispositivo, pero no pudimos enviarlas. Por favor, llámenos.',
  ),
};

/** The texts of a thank-you page in one language. `asked` is undefined if no law firm will call. */
export type ThankYouTexts = Omit<InOne<typeof thankYou>, 'asked'> & {
  readonly asked?: ListTexts | undefined;
};

/** Maps the path of a thank-you page to its texts (docs/specification.md#thank-you-pages). */
export const thankYouPages: InBoth<Readonly<Record<string, Partial<ThankYouTexts> | undefined>>> = {
  // The survey of this page asks for name and e-mail address first, and for the phone number last.
  '/survey-thank-you-v3b/': {
    qualifiedTitle: both(
      'Thank you. That was the last question.',
      'Gracias. Esa fue la última pregunta.',
    ),
    qualifiedLead: both(
      'Your number was the last thing we needed. Law firms will look over what you told us and call you.',
      'Su número era lo último que faltaba. Los bufetes van a revisar lo que nos contó y le llamarán.',
    ),
  },
  // The surveys of this page begin with the compensation estimator.
  '/survey-v5-thank-you/': {
    qualifiedLead: both(
      'Law firms will look over what you told us and get in touch with you. Your figure at the start was a guess: what a claim can bring depends on your injury, your care and the insurance.',
      'Los bufetes van a revisar lo que nos contó y se comunicarán con usted. La cantidad del principio era un cálculo suyo: lo que se puede obtener depende de su lesión, su atención médica y el seguro.',
    ),
  },
  // The surveys of this page begin with the button “Get started”.
  '/survey-thank-you-v7/': {
    qualifiedTitle: both(
      'You got started. Now it’s our turn.',
      'Usted ya empezó. Ahora nos toca a nosotros.',
    ),
    qualifiedLead: both(
      'Law firms will look over what you told us and call you. Here’s what helps until then.',
      'Los bufetes van a revisar lo que nos contó y le llamarán. Esto le sirve mientras tanto.',
    ),
  },
};
