import type { Texts, ThankYouTexts } from './en.ts';
import { chosen, list } from './shared.ts';

const thankYou = {
  qualifiedTitle: 'Gracias. Usted\u00a0ya hizo su parte.',
  qualifiedLead: 'Un bufete de abogados va a revisar lo que nos contó y se comunicará con usted.',
  disqualifiedTitle: 'Gracias por contarnos lo que pasó.',
  disqualifiedLead:
    'Lo más probable es que nuestros bufetes no tomen este caso; no espere una llamada. Otro abogado puede verlo de otra manera. Aquí le decimos quién puede ayudarle.',
  asked: list(
    'Qué le van a preguntar',
    'Dónde y cuándo fue el accidente',
    'Dónde le duele y qué doctores le han atendido',
    'Quién más estuvo: conductores, pasajeros, testigos',
    'Qué seguro tienen usted y el otro conductor',
    'Si llegó la policía y si ya le llamó alguna aseguradora',
  ),
  papers: list(
    'Tenga esto a la mano, si lo tiene',
    'El reporte de la policía o su número',
    'Su tarjeta del seguro',
    'Nombre, placas y seguro del otro conductor',
    'Fotos de los autos, del lugar y de sus lesiones',
    'Recibos y papeles médicos, y prueba del sueldo que perdió',
  ),
  today: [
    list(
      'Hoy, por su salud',
      'Si algo le duele o se siente mal, vaya al doctor. Llame al 911 si tiene un dolor de cabeza fuerte, se desmaya, se le duerme alguna parte del cuerpo o le cuesta respirar.',
      'Vaya a todas sus citas y tome lo que le recetaron.',
      'Escriba cada día qué le duele y qué no puede hacer.',
    ),
    list(
      'Hoy, por su reclamo',
      'Guarde todo: fotos, recibos, cartas y nombres de testigos.',
      'No tiene que dar una declaración grabada a la aseguradora del otro conductor ni firmar nada antes de hablar con un abogado.',
      'No publique nada del accidente en internet.',
    ),
  ],
  callTitle: 'Su llamada',
  caller:
    'Un bufete de abogados le llamará, por lo general en un día hábil. Si prefiere hablar en español, dígalo cuando llamen.',
  callerUnsent: 'Los bufetes solo llaman a quien lo pidió.',
  callers:
    'Recibirá una llamada de {firms}, por lo general en un día hábil. Si prefiere hablar en español, dígalo cuando llamen.',
  ownNumber: 'La llamada llega del número de un bufete, no del nuestro.',
  ourNumber: 'Nuestro número, por si tiene preguntas',
  saveNumber: 'Guardar nuestro número',
  noFirm: {
    title: 'Usted no eligió ningún bufete, así que ninguno le llamará.',
    lead: 'Guardamos sus respuestas. Ningún bufete le llamará si usted no elige uno.',
    call: '¿Cambió de opinión? Llámenos y pida un bufete.',
    legend: '¿Cambió de opinión? Elija quién puede llamarle.',
    ofOne: '¿Cambió de opinión? ¿Puede llamarle {firm}?',
    yes: 'Sí',
    button: 'Pedir una llamada',
    missing: 'Primero marque una casilla.',
    lateTitle: 'Su elección no llegó a tiempo.',
    lateLead: 'No cuente con la llamada de un bufete. Llámenos y pida uno.',
  },
  copy: {
    title: 'Sus respuestas',
    note: 'Esta copia está solo en esta página. Se borra cuando usted la cierra o sale de ella.',
    print: 'Imprimir o guardar',
  },
  stateTitle: 'Dos pasos que puede dar en su estado',
  ownStateTitle: 'Dos pasos que puede dar en {state}',
  findDeadline: 'Conozca su plazo. Depende del estado: elija el suyo abajo.',
  deadline:
    'En {state} el plazo normal para reclamar por una lesión es de {years} años desde el día del accidente.',
  deadlineOfOne:
    'En {state} el plazo normal para reclamar por una lesión es de un año desde el día del accidente.',
  since: 'Vale para accidentes desde el {day}.',
  deadlineNote:
    'Información general de noviembre de 2026, no asesoría sobre su caso. Algunos plazos son mucho más cortos, por ejemplo para reclamar a una ciudad o a un estado.',
  askBar: 'Preguntar al colegio de abogados de {state}',
  askDirectory: 'Buscar ayuda legal gratis y abogados en su estado',
  otherStates: 'Elegir un estado',
  unsentTitle: 'Aquí no vemos ninguna respuesta',
  unsentLead:
    'En esta ventana no hay respuestas a nuestras preguntas. Si las envió desde otra, es posible que un bufete le llame. También puede empezar aquí o llamarnos.',
  takeBack: '¿Cambió de opinión? Responda STOP a un mensaje, dígaselo a quien llame o',
  takeBackLink: 'pídanos que no compartamos su información',
  unsentStart: 'Empezar las preguntas',
  call: '¿Preguntas? Llámenos:',
  partner: 'Ver otras formas de recibir ayuda',
  partnerNote: 'Otra empresa tal vez pueda ayudarle. No es un bufete con el que trabajamos.',
  statusReceived: 'Ya recibimos sus respuestas.',
  statusWaiting:
    'Sus respuestas están guardadas en este dispositivo. Todavía las estamos enviando…',
  statusStopped:
    'Sus respuestas están guardadas en este dispositivo, pero no pudimos enviarlas. Por favor, llámenos.',
} satisfies ThankYouTexts;

/** Texts that differ on the thank-you pages of some surveys, by path. */
const thankYouPages: Texts['thankYouPages'] = {
  // This survey asks for name and email address first, and for the number last.
  '/survey-thank-you-v3b/': {
    qualifiedTitle: 'Gracias. Esa fue la última pregunta.',
    qualifiedLead:
      'Su número era lo último que faltaba. Un bufete de abogados va a revisar lo que nos contó y le llamará.',
  },
  // These surveys begin with the compensation estimator.
  '/survey-v5-thank-you/': {
    qualifiedLead:
      'Un bufete de abogados va a revisar lo que nos contó y se comunicará con usted. La cantidad del principio era un cálculo suyo: lo que se puede obtener depende de su lesión, su atención médica y el seguro.',
  },
  // These surveys begin with the button «Empezar».
  '/survey-thank-you-v7/': {
    qualifiedTitle: 'Usted ya empezó. Ahora nos toca a nosotros.',
    qualifiedLead:
      'Un bufete de abogados va a revisar lo que nos contó y le llamará. Esto le sirve mientras tanto.',
  },
};

const doubtfulName = 'Este nombre tiene un número. Si es correcto, presione el botón otra vez.';
const injuries = {
  'Back or Neck Pain': 'Dolor de espalda o cuello',
  Whiplash: 'Latigazo cervical',
  'Broken Bones': 'Huesos rotos',
  'Head Injury': 'Golpe en la cabeza',
  'Spinal Cord Injury': 'Lesión de la médula espinal',
  'Loss of Limb': 'Pérdida de un brazo o una pierna',
  'Cuts or Bruises': 'Cortadas o moretones',
  Other: 'Otra lesión',
};

// Shown under the first question, so it must be true for every outcome.
const whoCalls = 'Unos 2 minutos. Un bufete le llama solo si usted lo pide al final.';
// Why the survey asks for a name and an e-mail address.
const whyNamed = 'Para que el bufete sepa con quién habla. No enviamos publicidad.';
const numberToCall = {
  question: '¿Cuál es el mejor número para llamarle?',
  submit: 'Pedir mi revisión gratis',
};
const chooseOne = chosen('Elija una respuesta.');

/** Spanish texts, as spoken in the United States. They address the visitor as usted. */
export const es: Texts = {
  steps: {
    StartPath: { question: '¿Qué tipo de accidente tuvo?', help: whoCalls },
    AutoAccidentCaseWorth: {
      question: '¿Cuánto cree que podría valer su caso?',
      help: 'Basta con lo que usted piense. No hay respuestas equivocadas.',
    },
    WhenWasTheAccident: {
      question: '¿Cuándo fue el accidente?',
      help: 'Basta con una fecha aproximada.',
    },
    AtFault: {
      question: '¿Quién tuvo la culpa?',
      help: '¿Iba de pasajero? Quien manejaba su vehículo cuenta como otra persona.',
    },
    WasUserInjured: {
      question: '¿Qué es lo que más le duele?',
      help: 'Elija lo que más le molesta.',
      choices: { 'physical_injury=No': 'No me lastimé' },
    },
    ActiveInsurancePolicy: { question: '¿Tenía seguro de auto el día del accidente?' },
    MissedWork: { question: '¿Ha faltado al trabajo por su lesión?' },
    SpeakingWithADoctor: { question: '¿Le gustaría hablar con un doctor sobre su lesión?' },
    DidYouReceiveMedicalTreatment: {
      question: '¿Ha ido al doctor o ha recibido atención médica?',
      help: 'También cuentan la ambulancia, la sala de emergencias, la clínica y el quiropráctico.',
    },
    WillingToTreat: {
      question: '¿Aceptaría ver a un doctor?',
      help: 'Algunas lesiones tardan unos días en doler.',
    },
    PoliceReportFiled: { question: '¿La policía hizo un reporte?' },
    HasLawyer: { question: '¿Ya tiene abogado para este accidente?' },
    ConfirmationHasLawyer: {
      question: 'Solo para confirmar: ¿un abogado ya aceptó llevar su caso?',
    },
    InterestedInFunding: {
      question: '¿Le ayudaría un adelanto de dinero por su caso?',
      help: 'Un caso puede tardar meses, y los gastos no esperan. Las siguientes preguntas son sobre dinero mientras tanto.',
    },
    FundingAmount: { question: '¿Cuánto dinero le ayudaría en este momento?' },
    HasCaseBeenSettled: {
      question: '¿Su caso ya se cerró con un acuerdo?',
      help: 'Es decir, usted aceptó un pago y el caso terminó.',
    },
    HasReceivedFunding: { question: '¿Ya recibió un adelanto de dinero por este caso?' },
    LawFirmDetails: { question: '¿Qué bufete de abogados le está ayudando?' },
    IncidentDescription: {
      question: '¿Qué pasó?',
      help: 'Con una frase basta: «Me chocaron por detrás».',
      // First sentences for the description. The visitor continues the text after them.
      starters: [
        ['Choque por detrás', 'Me chocaron por detrás. '],
        ['Vuelta a la izquierda', 'El otro auto dio vuelta a la izquierda frente a mí. '],
        ['Estacionado', 'Chocaron mi auto cuando estaba estacionado. '],
      ],
      startersOnFoot: [
        ['Cruzando la calle', 'Me atropellaron cuando cruzaba la calle. '],
        ['A un lado de la calle', 'Me atropellaron a un lado de la calle. '],
        ['En un estacionamiento', 'Me atropellaron en un estacionamiento. '],
      ],
    },
    HitAndRunIdentified: { question: '¿Ya encontraron al conductor que huyó?' },
    UninsuredMotoristCoverage: {
      question: '¿Su seguro cubre accidentes con conductores que no tienen seguro?',
      help: 'Busque “uninsured motorist” o “UM” en su póliza.',
    },
    NameAndEmail: { question: '¿Cuál es su nombre y su correo electrónico?', help: whyNamed },
    DateOfBirth: { question: '¿Cuál es su fecha de nacimiento?' },
    PhoneAndZip: numberToCall,
    ZipCode: { question: '¿Dónde vive?', help: 'Quién puede ayudarle depende de dónde vive.' },
    PhoneAndBuyersConsent: { ...numberToCall, submitWithoutFirm: 'Enviar sin elegir un bufete' },
    OtherDriversVehicleType: { question: '¿Qué manejaba el otro conductor?' },
    TypeOfMedicalTreatment: {
      question: '¿Qué atención médica ha recibido?',
      help: 'Si fueron varias, elija la más seria.',
      choices: { 'doctor_treatment=no': 'Ninguna todavía' },
    },
    SocialDropPII: {
      question: '¿Por quién debe preguntar el bufete?',
      help: 'El correo sirve si no le encuentran por teléfono.',
    },
    WereYouInAMotorVehicleAccident: {
      question: '¿Tuvo un accidente de tránsito?',
      help: 'Cuenta cualquier accidente con un auto, camión, autobús o moto, aunque usted fuera a pie o en bicicleta.',
    },
    'variant-e/WereYouInAMotorVehicleAccident': {
      question: '¿Tuvo un accidente de tránsito?',
      help: whoCalls,
    },
    'sl-v2/NameAndEmail': {
      question: '¿Cuál es su nombre y su correo electrónico?',
      help: whoCalls,
    },
    DidYouRequireMedicalTreatment: {
      question: '¿Necesitó atención médica después del accidente?',
      help: 'También cuentan la ambulancia, la sala de emergencias, la clínica y el quiropráctico.',
    },
    WillYouRequireMedicalTreatment: {
      question: '¿Va a necesitar atención médica por su lesión?',
      help: 'Basta con lo que usted piense hoy.',
    },
    AccidentResultInMedicalTreatment: {
      question: '¿Necesitó atención médica por el accidente?',
      help: 'También cuentan la ambulancia, la sala de emergencias, la clínica y el quiropráctico.',
    },
    TypeOfAccident: { question: '¿Qué tipo de accidente tuvo?' },
    PendingDUICharges: {
      question: '¿Tiene cargos pendientes por manejar bajo los efectos del alcohol o de drogas?',
      help: 'En inglés se conocen como DUI o DWI.',
    },
    TypeOfAlcoholTestPerformed: { question: '¿Qué prueba de alcohol le hizo la policía?' },
    BACMeasuredByTest: {
      question: '¿Qué nivel de alcohol marcó la prueba?',
      help: 'Busque “BAC” en el papel que le dio la policía.',
    },
    UserHasDUI: {
      question: '¿Ha tenido antes algún cargo por manejar bajo los efectos del alcohol?',
      help: 'Cuenta cualquier cargo anterior por alcohol, aunque sea de hace mucho.',
    },
    DUIIncidentDescription: {
      question: '¿Qué pasó?',
      help: '¿Cómo le hizo parar la policía? Con una frase basta.',
      labels: { case_description: 'Cómo le hizo parar la policía' },
    },
    HowWasUserHurt: { question: '¿Se lastimó en el accidente?' },
    DescribeInjuries: {
      question: '¿Qué es lo que más le duele?',
      help: 'Elija lo que más le molesta. Lo demás puede contarlo en la llamada.',
    },
    End: { question: 'Ya casi termina' },
    'vw3/StartPath': {
      question: '¿Se lastimó en un accidente de auto? Vea si puede reclamar.',
      help: whoCalls,
      submit: 'Empezar ahora',
      promises: {
        steps: 'Preguntas cortas, una por una',
        free: 'Gratis. No paga si no gana',
        private: 'Pare cuando quiera',
      },
    },
    GetStartedFirstStep: {
      question: 'Vamos a empezar',
      help: 'Primero el accidente y luego su lesión.',
      submit: 'Empezar',
    },
    StartPathTicket: {
      question: '¿Por qué le dieron la multa?',
      help: 'Unos 2 minutos. Un abogado le llama solo si usted lo pide al final.',
    },
    StartTicketFlow: { question: '¿Hubo un accidente?' },
    TicketReceived: {
      question: '¿Ya tiene la multa?',
      help: 'En papel, por correo o en su teléfono.',
    },
    SelectState: { question: '¿En qué estado le dieron la multa?' },
    SelectDate: {
      question: '¿Cuándo le dieron la multa?',
      help: 'Está en la multa. Basta con una fecha aproximada.',
    },
    DoYouHaveAttorney: { question: '¿Ya tiene abogado para esta multa?' },
    'ticket/IncidentDescription': {
      question: '¿Qué pasó?',
      help: '¿Cómo le dieron la multa? Con una frase basta.',
      labels: { case_description: 'Cómo le dieron la multa' },
    },
    NameAndEmailTicket: { question: '¿A nombre de quién está la multa?', help: whyNamed },
    'ticket/PhoneAndZip': numberToCall,
    'benefits/StartPath': {
      question: 'Vea qué beneficios podría solicitar',
      help: 'Dos preguntas cortas, sin dar su nombre.',
      submit: 'Empezar ahora',
    },
    SelectAgeGroup: { question: '¿Cuántos años tiene?' },
    USCitizen: { question: '¿Tiene la ciudadanía de Estados Unidos?' },
    SecuredBenefits: {
      question: 'Qué significan sus respuestas',
      help: 'Es información general. Cada programa tiene más reglas, y solo el programa decide.',
      notes: {
        'ageGroup=under_18':
          'Si tiene menos de 18 años, su padre, madre o tutor debe solicitarlos con usted o por usted.',
        'ageGroup=18_to_25':
          'A su edad, la mayoría de los beneficios depende de sus ingresos, su salud y su familia.',
        'ageGroup=26_to_49':
          'A su edad, la mayoría de los beneficios depende de sus ingresos, su salud y su familia.',
        'ageGroup=50_to_64':
          'Desde los 50 años, algunas reglas de discapacidad son más fáciles de cumplir. La jubilación del Seguro Social puede empezar a los 62.',
        'ageGroup=65_or_more':
          'A los 65 años, la mayoría de las personas puede recibir Medicare. Tal vez también pueda recibir la jubilación del Seguro Social.',
        'isUSCitizen=yes': 'Usted cumple la regla de ciudadanía que tienen muchos programas.',
        'isUSCitizen=no':
          'Algunos programas son solo para ciudadanos. Otros aceptan a muchas personas que viven aquí legalmente.',
      },
    },
    FormFirstQuestions: { question: 'Sobre el accidente' },
    FormSecondQuestions: {
      question: '¿Qué le pasó?',
      labels: {
        injury_month: 'Mes del accidente',
        injury_year: 'Año del accidente',
        case_description: '¿Qué pasó? (una frase)',
      },
    },
    FormThirdQuestions: {
      question: '¿Cómo puede comunicarse un abogado con usted?',
      submit: 'Pedir mi revisión gratis',
    },
    OnePageForm: {
      question: 'Cuéntenos sobre su accidente',
      help: whoCalls,
      submit: 'Pedir mi revisión gratis',
      labels: { injury_year: 'Año del accidente', case_description: '¿Qué pasó? (una frase)' },
    },
    Disqualified: {
      question: 'Gracias por contarnos lo que pasó.',
      help: 'Según sus respuestas, es posible que los bufetes de nuestra red no puedan tomar este caso. Otro abogado puede verlo de otra manera. Hay plazos para reclamar, así que pregunte pronto.',
    },
  },
  yesNo: { yes: 'Sí', no: 'No' },
  choices: {
    accident_type: {
      'Car Accident': 'Auto',
      'Truck Accident': 'Tráiler o camión grande',
      'Motorcycle Accident': 'Moto',
      'Pedestrian Accident': 'A pie',
      'Bicycle Accident': 'Bicicleta',
      Other: 'Otro',
    },
    at_Fault: { no: 'Otra persona', yes: 'Yo' },
    partial_fault: { yes: 'Ambos, o no sé', no: 'No' },
    specific_injury: injuries,
    physical_injury: { Yes: 'Sí, me lastimé', No: 'No, no me lastimé' },
    lawyer_redirect_reason: {
      'have_attorney|yes': 'Sí',
      'have_attorney|yes_but_I_want_a_new_lawyer': 'Sí, pero quiero otro abogado',
    },
    funding_amount: {
      under_2500: 'Menos de $2,500',
      '2500_to_5000': 'De $2,500 a $5,000',
      '5000_to_10000': 'De $5,000 a $10,000',
      over_10000: 'Más de $10,000',
    },
    uninsured_motorist_coverage: { yes: 'Sí', no: 'No, o no sé' },
    other_vehicle_type: {
      Car: 'Auto',
      'SUV or Pickup': 'Camioneta o pickup',
      'Commercial Truck': 'Tráiler o camión grande',
      Motorcycle: 'Moto',
      Bus: 'Autobús',
      Other: 'Otro vehículo',
    },
    accident_date_button: {
      'Within 1 Week': 'Hace menos de una semana',
      'Within 1 Month': 'Hace menos de un mes',
      'Within 6 Months': 'Hace menos de 6 meses',
      'Within 1 Year': 'Hace menos de un año',
      'Within 2 Years': 'Hace menos de 2 años',
      'Over 2 Years': 'Hace más de 2 años',
    },
    type_of_medical_treatment: {
      'Emergency Room': 'Sala de emergencias',
      'Doctor or Clinic': 'Doctor o clínica',
      'Chiropractor or Physical Therapy': 'Quiropráctico o terapia física',
      Surgery: 'Cirugía',
    },
    when_seek_medical_treatment: {
      first_week: 'En la primera semana',
      first_month: 'En el primer mes',
      later: 'Más tarde',
      not_yet: 'Todavía no',
    },
    injury_type: { ...injuries, 'No Injury': 'No me lastimé' },
    type_of_alcohol_test_performed: {
      breath_test: 'De aliento',
      blood_test: 'De sangre',
      urine_test: 'De orina',
      field_sobriety_test: 'En la calle, como caminar en línea recta',
      no_test: 'Ninguna',
      refused_test: 'Me negué a la prueba',
    },
    bac_level: {
      under_0_08: 'Menos de 0.08',
      '0_08_to_0_14': 'De 0.08 a 0.14',
      '0_15_or_more': '0.15 o más',
      dont_know: 'No sé',
    },
    ticket_type: {
      Speeding: 'Exceso de velocidad',
      'Red Light or Stop Sign': 'Semáforo o señal de alto',
      'Careless Driving': 'Manejo descuidado',
      'Phone Use': 'Uso del teléfono',
      'License or Insurance': 'Licencia o seguro',
      Other: 'Otra razón',
    },
    ageGroup: {
      under_18: 'Menos de 18',
      '18_to_25': 'De 18 a 25',
      '26_to_49': 'De 26 a 49',
      '50_to_64': 'De 50 a 64',
      '65_or_more': '65 o más',
    },
  },
  fields: {
    injury_month: {
      label: 'Mes',
      errors: { ...chosen('Elija el mes.'), in_future: 'Elija la fecha de hoy o una anterior.' },
    },
    injury_year: {
      label: 'Año',
      errors: { ...chosen('Elija el año.'), in_future: 'Elija la fecha de hoy o una anterior.' },
    },
    injury_day: {
      label: 'Día',
      hint: 'si lo sabe',
      errors: {
        invalid: 'Elija un día de ese mes.',
        in_future: 'Elija el día de hoy o uno anterior.',
      },
    },
    current_compensation: {
      label: 'Mi estimado en dólares',
      errors: {
        required: 'Ponga la cantidad que le parezca.',
        invalid: 'Escriba una cantidad de hasta 250,000.',
      },
    },
    law_firm_name: {
      label: 'Nombre del bufete',
      errors: {
        required: 'Escriba el nombre del bufete.',
        too_long: 'Escriba un nombre más corto.',
      },
    },
    law_firm_phone: {
      label: 'Teléfono del bufete',
      errors: {
        required: 'Escriba el teléfono del bufete.',
        too_short: 'Escriba los 10 dígitos del teléfono o déjelo en blanco.',
        too_many_digits:
          'Un teléfono de Estados Unidos tiene 10 dígitos. Quite los demás o déjelo en blanco.',
        area_code: 'Los códigos de área de Estados Unidos no empiezan con 1. Revise el número.',
        invalid: 'Escriba un teléfono de Estados Unidos de 10 dígitos o déjelo en blanco.',
        not_reachable: 'Parece que este número no funciona. Revíselo o déjelo en blanco.',
      },
    },
    case_description: {
      label: 'Qué pasó en el accidente',
      errors: {
        required: 'Cuéntenos en pocas palabras qué pasó.',
        too_short: 'Cuéntenos un poco más: al menos 4 palabras y 20 letras.',
        too_few_words: 'Cuéntenos un poco más: al menos 4 palabras y 20 letras.',
        too_long: 'Haga el texto más corto.',
      },
    },
    hit_and_run: {
      label: '¿El otro conductor se fue sin detenerse?',
      errors: chosen('Elija sí o no.'),
    },
    first_name: {
      label: 'Nombre',
      errors: {
        required: 'Escriba su nombre.',
        too_long: 'Escriba un nombre más corto.',
        doubtful: doubtfulName,
      },
    },
    last_name: {
      label: 'Apellido',
      errors: {
        required: 'Escriba su apellido.',
        too_long: 'Escriba un apellido más corto.',
        doubtful: doubtfulName,
      },
    },
    email: {
      label: 'Correo electrónico',
      errors: {
        required: 'Escriba su correo electrónico.',
        invalid: 'Escriba un correo como nombre@ejemplo.com.',
        no_at: 'Al correo le falta la @, como en nombre@ejemplo.com.',
        has_space: 'Un correo no lleva espacios. Quítelos.',
        several: 'Escriba un solo correo.',
        too_long: 'Escriba un correo más corto.',
        not_reachable: 'Parece que este correo no funciona. Revise si tiene algún error.',
        doubtful: '¿Quiso decir {email}?',
      },
    },
    phone: {
      label: 'Número de teléfono',
      errors: {
        required: 'Escriba su número de teléfono.',
        too_short: 'Escriba los 10 dígitos de su teléfono.',
        too_many_digits: 'Son más de 10 dígitos. Un teléfono de Estados Unidos tiene 10.',
        area_code: 'Los códigos de área de Estados Unidos no empiezan con 1. Revise el número.',
        invalid: 'Escriba un teléfono de Estados Unidos de 10 dígitos.',
        not_reachable: 'Parece que este número no funciona. Revise cada dígito.',
      },
    },
    zip_code: {
      label: 'Código postal',
      errors: {
        required: 'Escriba su código postal.',
        too_short: 'Escriba un código postal de EE. UU.: 5 dígitos.',
        invalid: 'Escriba un código postal de EE. UU.: 5 dígitos.',
        unknown_zip: 'No encontramos este código postal. Revise cada dígito.',
      },
    },
    selected_buyers: {
      label: 'Marque cada bufete que puede llamarle.',
      ofOne: { question: '¿Puede llamarle {firm}?', yes: 'Sí', no: 'No' },
      waiting: 'Estamos buscando bufetes en su zona. Puede tardar unos segundos.',
      errors: { required: 'Elija un bufete.', too_long: 'Elija menos bufetes.' },
    },
    date_of_birth_month: {
      label: 'Mes',
      errors: { ...chosen('Elija el mes.'), in_future: 'Elija una fecha en el pasado.' },
    },
    date_of_birth_day: {
      label: 'Día',
      errors: {
        required: 'Elija el día.',
        invalid: 'Elija un día de ese mes.',
        in_future: 'Elija una fecha en el pasado.',
      },
    },
    date_of_birth_year: {
      label: 'Año',
      errors: {
        required: 'Escriba el año.',
        invalid: 'Escriba el año con 4 dígitos.',
        in_future: 'Escriba un año en el pasado.',
      },
    },
    accident_type: { label: 'Tipo de accidente', errors: chooseOne },
    accident_date_button: { label: '¿Cuándo fue el accidente?', errors: chooseOne },
    at_Fault: { label: '¿Quién tuvo la culpa?', errors: chooseOne },
    physical_injury: { label: '¿Se lastimó en el accidente?', errors: chooseOne },
    injury_type: { label: '¿Qué es lo que más le duele?', errors: chooseOne },
    police_report: { label: '¿La policía hizo un reporte?', errors: chooseOne },
    with_Lawyer: { label: '¿Ya tiene abogado para este accidente?', errors: chooseOne },
    doctor_treatment: { label: '¿Ha recibido atención médica?', errors: chooseOne },
    when_seek_medical_treatment: {
      label: '¿Cuándo recibió atención por primera vez?',
      errors: chooseOne,
    },
    state_accident_occurred: { label: 'Estado', errors: chosen('Elija el estado.') },
    address: {
      label: 'Dirección',
      errors: { required: 'Escriba su dirección.', too_long: 'Escriba una dirección más corta.' },
    },
  },
  stages: { accident: 'Accidente', injuries: 'Lesiones', case: 'Su caso', contact: 'Contacto' },
  levels: [
    'Valor bajo',
    'Valor bajo a medio',
    'Valor medio',
    'Valor medio a alto',
    'Valor alto',
    'Valor muy alto',
    'Valor sumamente alto',
  ],
  controls: {
    next: 'Continuar',
    back: 'Atrás',
    startOver: 'Empezar de nuevo',
    deleteAnswers: 'Sí, borrar mis respuestas',
    sent: 'Usted ya envió sus respuestas y no tiene que hacer nada más. Si contesta otra vez, empieza un reclamo nuevo.',
    resumed: 'Qué bueno que regresó. Puede seguir donde se quedó.',
    optional: 'opcional',
    correct: 'Usar {email}',
    keepMine: 'Dejar el mío',
    early: {
      title: 'Antes de seguir',
      date: 'Es probable que para nuestros bufetes el accidente ya sea muy viejo. Otro abogado puede verlo de otra manera. Aquí le decimos quién puede ayudarle.',
      fault:
        'Nuestros bufetes ayudan a quien se lastimó por culpa de otra persona, así que lo más probable es que no tomen este caso. Otro abogado puede verlo de otra manera. Aquí le decimos quién puede ayudarle.',
      was: 'En {state}, el plazo normal para un reclamo así venció el {day}.',
      is: 'En {state}, el plazo normal para un reclamo así vence el {day}.',
      askBar: 'Preguntar al colegio de abogados de {state}',
      askDirectory: 'Buscar ayuda legal en su estado',
      send: 'Enviar mis respuestas de todos modos',
    },
    progress: 'Su avance',
    percent: '{percent}% completado',
    percentNoSign: '{percent} de 100 completado',
    stageOf: '{stage} · {position} de 4',
    choose: 'Elija',
    dayUnknown: 'No sé',
    starters: 'Toque para agregar:',
    counter: '{count} / {limit}',
    counterLeft: 'Quedan unos {left} caracteres',
    counterOver: 'Se pasa por {over}. Máximo: {limit} caracteres.',
    estimateNote:
      'No es una oferta ni una promesa. Lo que vale un reclamo depende de los hechos, y puede ser nada.',
    firstQuestionHeader: 'Gratis · Sin cobro si no gana · Pare cuando quiera',
    lastStepHeader: 'Último paso',
    socialProof:
      'Usted no es la única persona: gente de todo el país empieza aquí después de un accidente.',
    security:
      'Sus respuestas se envían por una conexión segura. Las usamos para encontrar un bufete de abogados para su caso.',
    prefilled: 'Los datos que ya aparecen vinieron con el enlace que usted abrió.',
    callNow: 'Llamar al {phone}',
    tryNow: 'Intentar ahora',
    sendingTitle: 'Un momento, por favor',
    sendingStates: {
      sending: 'Estamos enviando sus respuestas…',
      saved: 'Sus respuestas están guardadas. Un momento, por favor…',
      unsaved:
        'Por favor, no cierre esta página. No pudimos guardar sus respuestas en este dispositivo y seguimos enviándolas…',
      trying:
        'Sus respuestas todavía no salen. Están guardadas en este dispositivo y seguimos intentando.',
      offline:
        'No hay conexión. Sus respuestas están guardadas en este dispositivo. Deje esta página abierta y se enviarán en cuanto vuelva el internet. También puede llamarnos.',
      refused: 'No pudimos enviar sus respuestas. Llámenos al número que aparece en esta página.',
    },
  },
  code: {
    title: 'Revise su teléfono',
    sending:
      'Estamos enviando un código al {phone} por mensaje de texto, solo para confirmar que es suyo.',
    about: 'Enviamos un código al {phone} por mensaje de texto, solo para confirmar que es suyo.',
    label: 'Código de 6 dígitos',
    confirm: 'Confirmar',
    resend: 'Enviar otro código',
    resendIn: 'en {seconds} s',
    change: 'Cambiar el número',
    skip: 'No puedo recibir el código. Seguir sin él.',
    notes: {
      sent: 'El código ya salió. Puede tardar un minuto.',
      checking: 'Estamos revisando el código…',
      resent: 'Enviamos otro mensaje de texto.',
      resendReady: 'Ya puede pedir otro código.',
    },
    errors: {
      tooShort: 'Escriba los 6 dígitos del código.',
      wrong: 'Ese no es el código que enviamos. Revíselo e intente otra vez.',
      expired: 'Este código ya venció. Pida otro.',
      tooManyTries: 'Fueron demasiados intentos. Pida otro código o siga sin él.',
      noMore: 'Por ahora no podemos enviar más códigos. Por favor, siga sin el código.',
      tooManyCodes:
        'Por ahora no podemos enviar más códigos. Escriba el último o siga sin el código.',
      refused:
        'Este número no puede recibir nuestros mensajes. Cambie el número o siga sin el código.',
    },
  },
  page: {
    title: 'Revisión gratis de su caso de accidente',
    description:
      'Conteste unas preguntas sencillas sobre su accidente y vea si puede reclamar. Gratis y sin compromiso.',
    skipToQuestion: 'Ir a la pregunta',
    callUs: 'Llámenos',
    panelTitle: 'Qué pasa desde aquí',
    panelSteps: [
      'Usted contesta unas preguntas cortas.',
      'Si un bufete puede ayudarle, le llama.',
      'La llamada es gratis, y usted decide qué sigue.',
    ],
    legalLine: 'Publicidad de abogados. No somos un bufete.',
    stopAnyTime:
      'Puede parar en cualquier pregunta. Ningún bufete recibe sus respuestas ni su número si usted no los envía.',
    legalMore: 'Leer\u00a0más',
    formProblemTitle: 'Sus respuestas no llegaron',
    formProblems: {
      no_visit:
        'No encontramos sus respuestas. Las guardamos un día, y solo si su navegador acepta nuestra cookie. Por favor, empiece de nuevo o llámenos.',
      unreadable:
        'Vuelva una página atrás, revise lo que escribió y envíelo otra vez. Un texto más corto puede ayudar.',
      foreign_page:
        'Por su seguridad, solo aceptamos respuestas que se dan en nuestras páginas. Por favor, empiece desde la primera pregunta.',
      too_many:
        'Fue un poco rápido. Espere un minuto y vuelva a cargar esta página. Sus respuestas están guardadas.',
      unavailable:
        'Vuelva a cargar esta página en un momento. Si su navegador pregunta, deje que envíe el formulario otra vez. Sus respuestas anteriores están guardadas.',
    },
    startAgain: 'Ir a la primera pregunta',
    notLawFirm:
      '{company} no es un bufete de abogados y no ofrece asesoría legal. Usar este sitio no crea una relación de abogado y cliente.',
    noEndorsement:
      '{company} no respalda ni recomienda a ningún abogado o bufete de su red y no verifica su preparación. Elegir un abogado es una decisión importante y no debe basarse solo en la publicidad.',
    jointAdvertising:
      'Publicidad de abogados. Este sitio es un anuncio conjunto pagado por los abogados y bufetes de nuestra lista de',
    footerNavigation: 'Información legal',
    links: {
      sponsors: 'patrocinadores',
      privacy: 'Política de privacidad',
      california: 'Residentes de California',
      terms: 'Términos de uso',
      doNotSell: 'No vender mi información',
    },
  },
  subjects: {
    ticket: {
      title: 'Revisión gratis de su multa de tránsito',
      description:
        'Conteste unas preguntas sencillas sobre su multa de tránsito y averigüe si un abogado puede ayudarle.',
      panelTitle: 'Qué pasa con su multa',
      panelSteps: [
        'Usted contesta unas preguntas cortas sobre su multa.',
        'Si un abogado puede ayudarle, un bufete le llama.',
        'Usted pregunta cuánto costaría, y decide.',
      ],
      thankYou: {
        asked: list(
          'Qué le van a preguntar',
          'Por qué le dieron la multa, dónde y cuándo',
          'Hasta qué día tiene para contestarla o ir a la corte',
          'Si hubo un accidente',
          'Con qué licencia maneja y si ha tenido otras multas',
        ),
        papers: list(
          'Tenga esto a la mano',
          'La multa, por los dos lados',
          'Su licencia de manejar',
          'La tarjeta del seguro y el registro del auto',
          'Fotos del lugar, si las tiene',
        ),
        today: [
          list(
            'Lo que puede hacer hoy',
            'Anote en su calendario la fecha de la multa. Si se le pasa, puede perder la licencia.',
            'Piénselo antes de pagar: en casi todas partes, pagar es aceptar la culpa.',
            'Escriba lo que pasó mientras lo recuerda.',
          ),
        ],
      },
    },
    benefits: {
      title: '¿Qué beneficios podría solicitar?',
      description: 'Conteste dos preguntas sencillas y vea qué reglas de los beneficios cumple.',
      panelTitle: 'Vea qué beneficios podría solicitar.',
      panelSteps: [
        'Usted contesta dos preguntas cortas.',
        'Ve enseguida qué reglas cumple.',
        'Puede llamar y preguntar. Nadie le llama a usted.',
      ],
    },
  },
  thankYou,
  thankYouPages,
};
