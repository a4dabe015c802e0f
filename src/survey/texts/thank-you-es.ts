/** The words of the thank-you pages in Spanish. */
import type { Texts, ThankYouTexts } from './texts.ts';

export const thankYou: ThankYouTexts = {
  qualifiedTitle: 'Gracias. Usted\u00a0ya hizo su parte.',
  qualifiedLead: 'Un bufete de abogados va a revisar lo que nos contó y se comunicará con usted.',
  disqualifiedTitle: 'Gracias por contarnos lo que pasó.',
  disqualifiedLead:
    'Lo más probable es que nuestros bufetes no tomen este caso; no espere una llamada. Otro abogado puede verlo de otra manera. Aquí le decimos quién puede ayudarle.',
  nextTitle: 'Qué sigue ahora',
  qualifiedSteps: [
    'Alguien de un bufete le va a llamar, por lo general en un día hábil.',
    'Usted le cuenta lo que pasó. La llamada es gratis y puede preguntar lo que quiera.',
    'Si los dos están de acuerdo, el bufete toma su caso. Usted no paga honorarios si no gana.',
  ],
  asked: {
    title: 'Qué le van a preguntar',
    items: [
      'Dónde y cuándo fue el accidente',
      'Dónde le duele y qué doctores le han atendido',
      'Quién más estuvo: conductores, pasajeros, testigos',
      'Qué seguro tienen usted y el otro conductor',
      'Si llegó la policía y si ya le llamó alguna aseguradora',
    ],
  },
  papers: {
    title: 'Tenga esto a la mano, si lo tiene',
    items: [
      'El reporte de la policía o su número',
      'Su tarjeta del seguro',
      'Nombre, placas y seguro del otro conductor',
      'Fotos de los autos, del lugar y de sus lesiones',
      'Recibos y papeles médicos, y prueba del sueldo que perdió',
    ],
  },
  today: [
    {
      title: 'Hoy, por su salud',
      items: [
        'Si algo le duele o se siente mal, vaya al doctor. Llame al 911 si tiene un dolor de cabeza fuerte, se desmaya, se le duerme alguna parte del cuerpo o le cuesta respirar.',
        'Vaya a todas sus citas y tome lo que le recetaron.',
        'Escriba cada día qué le duele y qué no puede hacer.',
      ],
    },
    {
      title: 'Hoy, por su reclamo',
      items: [
        'Guarde todo: fotos, recibos, cartas y nombres de testigos.',
        'No tiene que dar una declaración grabada a la aseguradora del otro conductor ni firmar nada antes de hablar con un abogado.',
        'No publique nada del accidente en internet.',
      ],
    },
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
};

/** What the pages of some surveys say otherwise, by path. */
export const thankYouPages: Texts['thankYouPages'] = {
  // Ahí el nombre y el correo van primero, y el número al final.
  '/survey-thank-you-v3b/': {
    qualifiedTitle: 'Gracias. Esa fue la última pregunta.',
    qualifiedLead:
      'Su número era lo último que faltaba. Un bufete de abogados va a revisar lo que nos contó y le llamará.',
  },
  // Empezaron calculando cuánto podría valer el caso.
  '/survey-v5-thank-you/': {
    qualifiedLead:
      'Un bufete de abogados va a revisar lo que nos contó y se comunicará con usted. La cantidad del principio era un cálculo suyo: lo que se puede obtener depende de su lesión, su atención médica y el seguro.',
    qualifiedSteps: [
      'Alguien de un bufete le va a llamar, por lo general en un día hábil.',
      'Usted le cuenta lo que pasó. La llamada es gratis. Pregunte cuánto se puede obtener en un caso como el suyo, y por qué.',
      'Si los dos están de acuerdo, el bufete toma su caso. Usted no paga honorarios si no gana.',
    ],
    asked: {
      title: 'Qué le van a preguntar',
      items: [
        'Dónde y cuándo fue el accidente',
        'Dónde le duele y qué doctores le han atendido',
        'Cuánto le ha costado hasta ahora: recibos, sueldo perdido, el auto',
        'Qué seguro tienen usted y el otro conductor',
        'Si llegó la policía y si ya le llamó alguna aseguradora',
      ],
    },
  },
  // Presionaron «Empezar».
  '/survey-thank-you-v7/': {
    qualifiedTitle: 'Usted ya empezó. Ahora nos toca a nosotros.',
    qualifiedLead:
      'Un bufete de abogados va a revisar lo que nos contó y le llamará. Esto le sirve mientras tanto.',
  },
};
