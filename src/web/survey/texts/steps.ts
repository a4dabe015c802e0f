import { both, type InBoth, type QuestionTexts } from './shared.ts';

// The first screen shows this text, so it must be true whatever the visitor answers.
const whoCalls = both(
  'About 2 minutes. Law firms call only if you ask at the end.',
  'Unos 2 minutos. Los bufetes le llaman solo si usted lo pide al final.',
);
const whyNamed = both(
  'So the law firm knows who to ask for. We won’t send marketing email.',
  'Para que el bufete sepa con quién habla. No enviamos publicidad.',
);
const whatCounts = both(
  'An ambulance, the ER, a clinic or a chiropractor all count.',
  'También cuentan la ambulancia, la sala de emergencias, la clínica y el quiropráctico.',
);
const numberToCall = {
  question: both('What’s your best number?', '¿A qué número le llaman?'),
  submit: both('Get my free case review', 'Revisar mi caso gratis'),
};

const question = (en: string, es: string) => ({ question: both(en, es) });

/** The texts of every step. Tone: short words and sentences, no blame, no promises. */
export const steps = {
  StartPath: {
    question: both('What type of accident were you in?', '¿Qué tipo de accidente tuvo?'),
    help: whoCalls,
  },
  AutoAccidentCaseWorth: {
    question: both(
      'How much do you think your case could be worth?',
      '¿Cuánto cree que podría valer su caso?',
    ),
    help: both(
      'Your best guess is fine. There’s no wrong answer.',
      'Diga lo que le parezca. No hay respuestas incorrectas.',
    ),
  },
  WhenWasTheAccident: {
    question: both('When did the accident happen?', '¿Cuándo fue el accidente?'),
    help: both('Not sure? Your best guess is fine.', 'Basta con una fecha aproximada.'),
  },
  AtFault: {
    question: both('Who was at fault?', '¿Quién tuvo la culpa?'),
    help: both(
      'Were you a passenger? Your own driver counts as someone else.',
      '¿Iba de pasajero? Quien manejaba su vehículo cuenta como otra persona.',
    ),
  },
  WasUserInjured: {
    question: both('What hurts most?', '¿Qué es lo que más le duele?'),
    help: both('Pick the one that bothers you most.', 'Elija lo que más le molesta.'),
    choices: { 'physical_injury=No': both('I was not hurt', 'No me lastimé') },
  },
  ActiveInsurancePolicy: question(
    'Did you have car insurance on the day of the accident?',
    '¿Tenía seguro de auto el día del accidente?',
  ),
  MissedWork: question(
    'Have you missed work because of your injury?',
    '¿Ha faltado al trabajo por su lesión?',
  ),
  SpeakingWithADoctor: question(
    'Would you like to speak with a doctor about your injury?',
    '¿Le gustaría hablar con un doctor sobre su lesión?',
  ),
  DidYouReceiveMedicalTreatment: {
    question: both(
      'Have you seen a doctor or had medical care?',
      '¿Ha ido al doctor o ha recibido atención médica?',
    ),
    help: whatCounts,
  },
  WillingToTreat: {
    question: both('Would you be willing to see a doctor?', '¿Iría a ver a un doctor?'),
    help: both(
      'Some injuries take a few days to show.',
      'Algunas lesiones tardan unos días en notarse.',
    ),
  },
  PoliceReportFiled: question('Did the police file a report?', '¿La policía hizo un reporte?'),
  HasLawyer: question(
    'Do you have a lawyer for this accident?',
    '¿Ya tiene abogado para este accidente?',
  ),
  ConfirmationHasLawyer: question(
    'Just to be sure: has a lawyer already agreed to take your case?',
    'Solo para confirmar: ¿un abogado ya aceptó llevar su caso?',
  ),
  InterestedInFunding: {
    question: both(
      'Would a cash advance on your case help you?',
      '¿Le ayudaría un adelanto de dinero por su caso?',
    ),
    help: both(
      'A case can take months, and bills don’t wait. The next few questions are about money until it ends.',
      'Un caso puede tardar meses, y los gastos no esperan. Las siguientes preguntas son sobre dinero mientras tanto.',
    ),
  },
  FundingAmount: question(
    'How much money would help you right now?',
    '¿Cuánto dinero le ayudaría en este momento?',
  ),
  HasCaseBeenSettled: {
    question: both('Has your case already been settled?', '¿Su caso ya se cerró con un acuerdo?'),
    help: both(
      'Settled means you agreed to a payment and the case is over.',
      'Es decir, usted aceptó un pago y el caso terminó.',
    ),
  },
  HasReceivedFunding: question(
    'Have you already had a cash advance on this case?',
    '¿Ya recibió un adelanto de dinero por este caso?',
  ),
  LawFirmDetails: question(
    'Which law firm is helping you?',
    '¿Qué bufete de abogados le está ayudando?',
  ),
  IncidentDescription: question('What happened?', '¿Qué pasó?'),
  HitAndRunIdentified: question(
    'Has the driver who left been found?',
    '¿Ya encontraron al conductor que huyó?',
  ),
  UninsuredMotoristCoverage: {
    question: both(
      'Does your own insurance cover accidents with uninsured drivers?',
      '¿Su seguro cubre accidentes con conductores que no tienen seguro?',
    ),
    help: both(
      'Look for “uninsured motorist” or “UM” on your policy.',
      'Busque “uninsured motorist” o “UM” en su póliza.',
    ),
  },
  NameAndEmail: {
    question: both('What’s your name and email?', '¿Cuál es su nombre y su correo electrónico?'),
    help: whyNamed,
  },
  DateOfBirth: question('What’s your date of birth?', '¿Cuál es su fecha de nacimiento?'),
  PhoneAndZip: numberToCall,
  ZipCode: {
    question: both('Where do you live?', '¿Dónde vive?'),
    help: both(
      'Who can help depends on where you live.',
      'Quién puede ayudarle depende de dónde vive.',
    ),
  },
  PhoneAndBuyersConsent: {
    ...numberToCall,
    submitWithoutFirm: both('Send without choosing a firm', 'Enviar sin elegir un bufete'),
  },
  OtherDriversVehicleType: question(
    'What was the other driver driving?',
    '¿Qué manejaba el otro conductor?',
  ),
  TypeOfMedicalTreatment: {
    question: both('What medical care have you had?', '¿Qué atención médica ha recibido?'),
    help: both('More than one? Choose the most serious.', 'Si fueron varias, elija la más seria.'),
    choices: { 'doctor_treatment=no': both('None so far', 'Ninguna todavía') },
  },
  SocialDropPII: {
    question: both('Who should a law firm ask for?', '¿Por quién debe preguntar el bufete?'),
    help: both(
      'An email helps if they can’t reach you by phone.',
      'El correo sirve si no le localizan por teléfono.',
    ),
  },
  WereYouInAMotorVehicleAccident: {
    question: both('Were you in a motor vehicle accident?', '¿Tuvo un accidente de tránsito?'),
    help: both(
      'Cars, trucks, buses and motorcycles all count, even if you were on foot or on a bicycle.',
      'Cuenta cualquier accidente con un auto, camión, autobús o moto, aunque usted fuera a pie o en bicicleta.',
    ),
  },
  'variant-e/WereYouInAMotorVehicleAccident': {
    question: both('Were you in a motor vehicle accident?', '¿Tuvo un accidente de tránsito?'),
    help: whoCalls,
  },
  'sl-v2/NameAndEmail': {
    question: both('What’s your name and email?', '¿Cuál es su nombre y su correo electrónico?'),
    help: whoCalls,
  },
  DidYouRequireMedicalTreatment: {
    question: both(
      'Did you need medical care after the accident?',
      '¿Necesitó atención médica después del accidente?',
    ),
    help: whatCounts,
  },
  WillYouRequireMedicalTreatment: {
    question: both(
      'Will you need medical care for your injury?',
      '¿Va a necesitar atención médica por su lesión?',
    ),
    help: both('Your best guess is fine.', 'Conteste lo que crea hoy.'),
  },
  AccidentResultInMedicalTreatment: {
    question: both(
      'Did you get medical care because of the accident?',
      '¿Recibió atención médica por el accidente?',
    ),
    help: whatCounts,
  },
  TypeOfAccident: question('What type of accident were you in?', '¿Qué tipo de accidente tuvo?'),
  PendingDUICharges: {
    question: both(
      'Are you facing a drunk or drugged driving charge?',
      '¿Tiene cargos pendientes por manejar bajo los efectos del alcohol o de drogas?',
    ),
    help: both('It’s often called a DUI or DWI.', 'En inglés se conocen como DUI o DWI.'),
  },
  TypeOfAlcoholTestPerformed: question(
    'Which alcohol test did the police give you?',
    '¿Qué prueba de alcohol le hizo la policía?',
  ),
  BACMeasuredByTest: {
    question: both(
      'What alcohol level did the test show?',
      '¿Qué nivel de alcohol marcó la prueba?',
    ),
    help: both(
      'Look for “BAC” on the paper the police gave you.',
      'Busque “BAC” en el papel que le dio la policía.',
    ),
  },
  UserHasDUI: {
    question: both(
      'Have you been charged with drunk driving before?',
      '¿Ha tenido antes algún cargo por manejar bajo los efectos del alcohol?',
    ),
    help: both(
      'Any earlier alcohol charge counts, no matter how long ago.',
      'Cuenta cualquier cargo anterior por alcohol, aunque sea de hace mucho.',
    ),
  },
  DUIIncidentDescription: {
    question: both('What happened?', '¿Qué pasó?'),
    help: both(
      'How were you stopped? One short sentence is enough.',
      '¿Cómo le paró la policía? Con una frase basta.',
    ),
    labels: { case_description: both('How you were stopped', 'Cómo le paró la policía') },
    required: {
      case_description: both(
        'Write in one sentence how you were stopped.',
        'Escriba en una frase cómo le paró la policía.',
      ),
    },
  },
  HowWasUserHurt: question('Were you hurt in the accident?', '¿Se lastimó en el accidente?'),
  DescribeInjuries: {
    question: both('What hurts most?', '¿Qué es lo que más le duele?'),
    help: both(
      'Pick the one that bothers you most. You can tell the rest on the call.',
      'Elija lo que más le molesta. Lo demás puede contarlo en la llamada.',
    ),
  },
  End: question('Almost done', 'Ya casi termina'),
  'vw3/StartPath': {
    question: both(
      'Hurt in a car accident? See if you may have a claim.',
      '¿Se lastimó en un accidente de auto? Vea si puede reclamar.',
    ),
    help: whoCalls,
    submit: both('Start now', 'Empezar ahora'),
    promises: {
      steps: both('Short questions, one at a time', 'Preguntas cortas, una por una'),
      free: both('Free. No fee unless you win', 'Gratis. Sin honorarios si no gana'),
      private: both('Stop at any time', 'Pare cuando quiera'),
    },
  },
  GetStartedFirstStep: {
    question: both('Let’s get started', 'Vamos a empezar'),
    help: both('First the accident, then your injury.', 'Primero el accidente y luego su lesión.'),
    submit: both('Get started', 'Empezar'),
  },
  StartPathTicket: {
    question: both('What did you get the ticket for?', '¿Por qué le dieron la multa?'),
    help: both(
      'About 2 minutes. A lawyer calls only if you ask at the end.',
      'Unos 2 minutos. Un abogado le llama solo si usted lo pide al final.',
    ),
  },
  StartTicketFlow: question('Was there an accident?', '¿Hubo un accidente?'),
  TicketReceived: {
    question: both('Do you have the ticket yet?', '¿Ya tiene la multa?'),
    help: both('On paper, by mail or on your phone.', 'En papel, por correo o en su teléfono.'),
  },
  SelectState: question(
    'Which state did you get the ticket in?',
    '¿En qué estado le dieron la multa?',
  ),
  SelectDate: {
    question: both('When did you get the ticket?', '¿Cuándo le dieron la multa?'),
    help: both(
      'It’s on the ticket. Not sure? Your best guess is fine.',
      'Está en la multa. Basta con una fecha aproximada.',
    ),
  },
  DoYouHaveAttorney: question(
    'Do you have a lawyer for this ticket?',
    '¿Ya tiene abogado para esta multa?',
  ),
  'ticket/IncidentDescription': {
    question: both('What happened?', '¿Qué pasó?'),
    help: both(
      'How did you get it? One short sentence is enough.',
      '¿Cómo le dieron la multa? Con una frase basta.',
    ),
    labels: { case_description: both('How you got the ticket', 'Cómo le dieron la multa') },
    required: {
      case_description: both(
        'Write in one sentence how you got the ticket.',
        'Escriba en una frase cómo le dieron la multa.',
      ),
    },
  },
  NameAndEmailTicket: {
    question: both('Who got the ticket?', '¿A nombre de quién está la multa?'),
    help: whyNamed,
  },
  'ticket/PhoneAndZip': {
    ...numberToCall,
    submit: both('Get my free ticket review', 'Revisar mi caso gratis'),
  },
  'benefits/StartPath': {
    question: both('See which benefits you could apply for', 'Vea qué beneficios podría solicitar'),
    help: both('Two short questions. No name needed.', 'Dos preguntas cortas, sin dar su nombre.'),
    submit: both('Start now', 'Empezar ahora'),
  },
  SelectAgeGroup: question('How old are you?', '¿Cuántos años tiene?'),
  USCitizen: question(
    'Are you a citizen of the United States?',
    '¿Tiene la ciudadanía de Estados Unidos?',
  ),
  SecuredBenefits: {
    question: both('What your answers mean', 'Qué significan sus respuestas'),
    help: both(
      'This is general information. Each program has more rules, and only the program can decide.',
      'Es información general. Cada programa tiene más reglas, y solo el programa decide.',
    ),
    notes: {
      'ageGroup=under_18': both(
        'Under 18, a parent or guardian has to apply with you or for you.',
        'Si tiene menos de 18 años, su padre, madre o tutor debe solicitarlos con usted o por usted.',
      ),
      'ageGroup=18_to_25': both(
        'At your age, most benefits depend on your income, your health and your family.',
        'A su edad, la mayoría de los beneficios depende de sus ingresos, su salud y su familia.',
      ),
      'ageGroup=26_to_49': both(
        'At your age, most benefits depend on your income, your health and your family.',
        'A su edad, la mayoría de los beneficios depende de sus ingresos, su salud y su familia.',
      ),
      'ageGroup=50_to_64': both(
        'From age 50, some disability rules are easier to meet. Social Security retirement can start at 62.',
        'Desde los 50 años, algunas reglas de discapacidad son más fáciles de cumplir. La jubilación del Seguro Social puede empezar a los 62.',
      ),
      'ageGroup=65_or_more': both(
        'At 65, most people can get Medicare. You may also be able to get Social Security retirement.',
        'A los 65 años, la mayoría de las personas puede recibir Medicare. Tal vez también pueda recibir la jubilación del Seguro Social.',
      ),
      'isUSCitizen=yes': both(
        'You meet the citizenship rule that many programs have.',
        'Usted cumple la regla de ciudadanía que tienen muchos programas.',
      ),
      'isUSCitizen=no': both(
        'Some programs are only for citizens. Others are open to many people who live here legally.',
        'Algunos programas son solo para ciudadanos. Otros aceptan a muchas personas que viven aquí legalmente.',
      ),
    },
  },
  FormFirstQuestions: question('About the accident', 'Sobre el accidente'),
  FormSecondQuestions: {
    question: both('What happened to you?', '¿Qué le pasó?'),
    labels: {
      injury_month: both('Month of the accident', 'Mes del accidente'),
      injury_year: both('Year of the accident', 'Año del accidente'),
      case_description: both('What happened? (one sentence)', '¿Qué pasó? (una frase)'),
    },
  },
  FormThirdQuestions: {
    question: both('How can a lawyer reach you?', '¿Cómo puede comunicarse un abogado con usted?'),
    submit: numberToCall.submit,
  },
  OnePageForm: {
    question: both('Tell us about your accident', 'Cuéntenos sobre su accidente'),
    help: whoCalls,
    submit: numberToCall.submit,
    labels: {
      injury_year: both('Year of the accident', 'Año del accidente'),
      case_description: both('What happened? (one sentence)', '¿Qué pasó? (una frase)'),
    },
  },
  Disqualified: {
    question: both('Thank you for telling us what happened.', 'Gracias por contarnos lo que pasó.'),
    help: both(
      'Our firms probably can’t take this case, so don’t wait for a call. Another lawyer may see it differently. Claims have deadlines, so ask soon.',
      'Lo más probable es que nuestros bufetes no tomen este caso; no espere una llamada. Otro abogado puede verlo de otra manera. Hay plazos para reclamar, así que pregunte pronto.',
    ),
  },
} satisfies InBoth<QuestionTexts['steps']>;
